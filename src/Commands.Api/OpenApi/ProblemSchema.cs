using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The one form of all errors: RFC 9457 and what this shop adds to it.</summary>
internal static class ProblemSchema
{
    public const string Name = "Problem";

    public static OpenApiSchema Schema { get; } = new()
    {
        Type = JsonSchemaType.Object,
        Description = "An error as RFC 9457 has it. Programs go by `code`, which never changes its meaning; people read `detail`.",
        Required = new HashSet<string> { "title", "status", "code", "traceId" },
        Properties = new Dictionary<string, IOpenApiSchema>
        {
            ["type"] = Text("What the status means, as a link."),
            ["title"] = Text("What the status means, in words."),
            ["status"] = new OpenApiSchema { Type = JsonSchemaType.Integer, Format = "int32", Minimum = "400", Maximum = "599" },
            ["detail"] = Text("What is wrong with this request."),
            ["code"] = new OpenApiSchema { Type = JsonSchemaType.String, Pattern = @"^[a-z_]+(\.[a-z_]+)?$", Description = "What is wrong, for programs." },
            ["traceId"] = Text("What to quote when asking about it: the log knows it."),
            ["errors"] = new OpenApiSchema
            {
                Type = JsonSchemaType.Object,
                Description = "What is wrong by the place in the body, such as `price` or `[17].price`, or by the parameter.",
                AdditionalProperties = new OpenApiSchema { Type = JsonSchemaType.Array, Items = new OpenApiSchema { Type = JsonSchemaType.String } },
            },
            ["version"] = new OpenApiSchema { Type = JsonSchemaType.Integer, Format = "int64", Description = "The current version, with `version.mismatch`." },
            ["limit"] = new OpenApiSchema { Type = JsonSchemaType.Integer, Format = "int32", Description = "How many there may be, with `bulk.too_many`." },
            ["blockedBy"] = BlockedBy(),
            ["products"] = SoldOut(),
        },
    };

    private static OpenApiSchema BlockedBy() => new()
    {
        Type = JsonSchemaType.Object,
        Description = "The first rows that stand in the way.",
        Required = new HashSet<string> { "resource", "ids" },
        Properties = new Dictionary<string, IOpenApiSchema>
        {
            ["resource"] = new OpenApiSchema { Type = JsonSchemaType.String },
            ["ids"] = new OpenApiSchema { Type = JsonSchemaType.Array, Items = Number("int32") },
        },
    };

    private static OpenApiSchema SoldOut() => new()
    {
        Type = JsonSchemaType.Array,
        Description = "What there is too little of, with `product.sold_out`.",
        Items = new OpenApiSchema
        {
            Type = JsonSchemaType.Object,
            Required = new HashSet<string> { "id", "name", "stock", "quantity" },
            Properties = new Dictionary<string, IOpenApiSchema>
            {
                ["id"] = Number("int32"),
                ["name"] = new OpenApiSchema { Type = JsonSchemaType.String },
                ["stock"] = Number("int32"),
                ["quantity"] = Number("int64"),
            },
        },
    };

    private static OpenApiSchema Number(string format) => new() { Type = JsonSchemaType.Integer, Format = format };

    private static OpenApiSchema Text(string description) => new() { Type = JsonSchemaType.String, Description = description };
}
