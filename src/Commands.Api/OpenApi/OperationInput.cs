using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Users;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.Extensions.Options;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>What an operation takes: its parameters in words, the header that no handler names, and bodies with examples.</summary>
internal sealed class OperationInput(IOptions<LimitOptions> limits) : IOpenApiOperationTransformer
{
    public Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        operation.Parameters ??= [];
        if (TakesKey(context.Description.HttpMethod, operation)) operation.Parameters.Add(ParameterTexts.IdempotencyKey());
        foreach (var parameter in operation.Parameters.OfType<OpenApiParameter>()) ParameterTexts.Describe(parameter);
        if (operation.RequestBody is OpenApiRequestBody { Content: { } content } body) Describe(body, content, context.Description.HttpMethod, IsStream(operation));
        return Task.CompletedTask;
    }

    public static bool IsStream(OpenApiOperation operation) =>
        operation.Responses!.Values.Any(answer => answer.Content?.ContainsKey(NdJson.ContentType) is true);

    /// <summary>Whether it changes the shop itself, as commands do; what operators do changes no aggregate.</summary>
    public static bool IsCommand(string? method, OpenApiOperation operation) =>
        method != "GET" && operation.Tags?.Any(tag => tag.Name == "admin") is not true;

    // A stream tells its progress once; it cannot be given again. What operators do may be repeated as it is.
    public static bool TakesKey(string? method, OpenApiOperation operation) =>
        method is "POST" or "PATCH" && IsCommand(method, operation) && !IsStream(operation);

    private void Describe(OpenApiRequestBody body, IDictionary<string, OpenApiMediaType> content, string? method, bool isEndless)
    {
        foreach (var (_, media) in content) media.Schema = WithoutNull(media.Schema);
        if (content.TryGetValue("application/json", out var json)) (json.Example, json.Schema) = (Examples.OfBody(json.Schema), ForMethod(json.Schema!, method));
        if (!content.TryGetValue(NdJson.ContentType, out var lines) || lines.Schema is not OpenApiSchema { Items: { } item }) return;

        body.Description = "A JSON array, or NDJSON: one item a line; its schema is that of a line.";
        if (json?.Schema is OpenApiSchema list) (list.MinItems, list.MaxItems) = (1, isEndless ? null : limits.Value.BulkItems);
        (item, var example) = (ForMethod(item, method), Examples.OfLines(item));
        if (json?.Schema is OpenApiSchema ofItems) ofItems.Items = item;
        content[NdJson.ContentType] = new OpenApiMediaType { Schema = item, Example = example };
    }

    // A new user needs the password that a replacement may leave out.
    private static IOpenApiSchema ForMethod(IOpenApiSchema schema, string? method) =>
        method == "POST" && schema is OpenApiSchemaReference { Reference.Id: nameof(UserInput) }
            ? new OpenApiSchema { AllOf = [schema], Required = new HashSet<string> { "password" } }
            : schema;

    // A body that may be left out is no null that may be sent.
    private static IOpenApiSchema? WithoutNull(IOpenApiSchema? schema) =>
        schema?.OneOf is { Count: 2 } either ? either.First(one => one.Type != JsonSchemaType.Null) : schema;
}
