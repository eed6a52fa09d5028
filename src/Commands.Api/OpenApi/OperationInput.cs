using ApexShop.Commands.Api.Limits;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.Extensions.Options;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>What an operation takes: its parameters in words, the header that no handler names, and bodies with examples.</summary>
internal sealed class OperationInput(IOptions<LimitOptions> limits) : IOpenApiOperationTransformer
{
    public const string NdJson = "application/x-ndjson";

    public Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        operation.Parameters ??= [];
        if (TakesKey(context.Description.HttpMethod, operation)) operation.Parameters.Add(ParameterTexts.IdempotencyKey());
        foreach (var parameter in operation.Parameters.OfType<OpenApiParameter>()) ParameterTexts.Describe(parameter);
        if (operation.RequestBody is OpenApiRequestBody { Content: { } content } body) Describe(body, content);
        return Task.CompletedTask;
    }

    // A stream tells its progress once; it cannot be given again.
    public static bool TakesKey(string? method, OpenApiOperation operation) =>
        method is "POST" or "PATCH" && operation.Responses?.Values.All(answer => answer.Content?.ContainsKey(NdJson) is not true) is true;

    private void Describe(OpenApiRequestBody body, IDictionary<string, OpenApiMediaType> content)
    {
        foreach (var (_, media) in content) media.Schema = WithoutNull(media.Schema);
        if (content.TryGetValue("application/json", out var json)) json.Example = Examples.OfBody(json.Schema);
        if (!content.TryGetValue(NdJson, out var lines) || lines.Schema is not OpenApiSchema { Items: { } item }) return;

        body.Description = "A JSON array, or NDJSON: one item a line.";
        // A stream has no end that must be known before it is read.
        if (json?.Schema is OpenApiSchema list) (list.MinItems, list.MaxItems) = (1, limits.Value.BulkItems);
        content[NdJson] = new OpenApiMediaType { Schema = item, Example = Examples.OfLines(item) };
    }

    // A body that may be left out is no null that may be sent.
    private static IOpenApiSchema? WithoutNull(IOpenApiSchema? schema) =>
        schema?.OneOf is { Count: 2 } either ? either.First(one => one.Type != JsonSchemaType.Null) : schema;
}
