using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>Generates the schemas of the lines of a stream, which the framework does not see.</summary>
internal sealed class StreamLines : IOpenApiOperationTransformer
{
    public async Task TransformAsync(
        OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        var metadata = context.Description.ActionDescriptor.EndpointMetadata;
        if (metadata.OfType<NdJsonMetadata>().SingleOrDefault() is not { } stream) return;
        var lines = new List<IOpenApiSchema>();
        foreach (var type in stream.Lines)
        {
            var name = SchemaNames.Of(type);
            context.Document!.AddComponent<IOpenApiSchema>(
                name, await context.GetOrCreateSchemaAsync(type, cancellationToken: ct));
            lines.Add(new OpenApiSchemaReference(name, context.Document));
        }

        ((OpenApiResponse)operation.Responses!["200"]).Content = new Dictionary<string, OpenApiMediaType>
        {
            [NdJson.ContentType] = new() { Schema = lines is [var only] ? only : new OpenApiSchema { AnyOf = lines } },
        };
    }
}
