using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The one form of all errors: RFC 9457 and what this shop adds to it.</summary>
internal static class ProblemSchema
{
    public const string Name = "Problem";

    public static void Apply(OpenApiSchema schema)
    {
        schema.Type = JsonSchemaType.Object;
        schema.Description = "An error as RFC 9457 has it. Programs go by `code`, which never changes its meaning; people read `detail`.";
        schema.Required = new HashSet<string> { "type", "title", "status", "code", "traceId" };
        schema.AdditionalProperties = null;
        schema.AdditionalPropertiesAllowed = true;
        schema.Properties = new Dictionary<string, IOpenApiSchema>
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
            ["products"] = Products(),
            ["current"] = List("The current versions, with `version.mismatch` of a list.", ("id", "int32"), ("version", "int64")),
        };
    }

    private static OpenApiSchema BlockedBy() => new()
    {
        Type = JsonSchemaType.Object,
        Description = "The first rows that stand in the way; where several are asked for, by the id that they keep.",
        Required = new HashSet<string> { "resource" },
        Properties = new Dictionary<string, IOpenApiSchema>
        {
            ["resource"] = Text("Of which resource they are."),
            ["ids"] = Ids(),
            ["items"] = new OpenApiSchema
            {
                Type = JsonSchemaType.Array,
                Items = new OpenApiSchema
                {
                    Type = JsonSchemaType.Object,
                    Required = new HashSet<string> { "id", "ids" },
                    Properties = new Dictionary<string, IOpenApiSchema> { ["id"] = Number("int32"), ["ids"] = Ids() },
                },
            },
        },
    };

    private static OpenApiSchema Products()
    {
        var products = List("What there is too little or too much of; `quantity` is what an order asks for.", ("id", "int32"), ("stock", "int32"), ("quantity", "int64"));
        ((OpenApiSchema)products.Items!).Properties!["name"] = Text("Name of the product.");
        ((OpenApiSchema)products.Items).Required!.Remove("quantity");
        return products;
    }

    private static OpenApiSchema List(string description, params (string Name, string Format)[] numbers) => new()
    {
        Type = JsonSchemaType.Array,
        Description = description,
        Items = new OpenApiSchema
        {
            Type = JsonSchemaType.Object,
            Required = numbers.Select(number => number.Name).ToHashSet(),
            Properties = numbers.ToDictionary(number => number.Name, IOpenApiSchema (number) => Number(number.Format)),
        },
    };

    private static OpenApiSchema Ids() => new() { Type = JsonSchemaType.Array, Items = Number("int32") };

    private static OpenApiSchema Number(string format) => new() { Type = JsonSchemaType.Integer, Format = format };

    private static OpenApiSchema Text(string description) => new() { Type = JsonSchemaType.String, Description = description };
}
