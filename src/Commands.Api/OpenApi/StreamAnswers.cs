using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>Answers that are streams: the framework sees that something is written, and not what.</summary>
internal sealed class StreamAnswers : IOpenApiOperationTransformer
{
    public async Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        if (context.Description.ActionDescriptor.EndpointMetadata.OfType<StreamOf>().SingleOrDefault() is not { Lines: var kinds }) return;
        var lines = new List<IOpenApiSchema>();
        foreach (var kind in kinds)
        {
            var name = SchemaNames.Of(kind);
            context.Document!.AddComponent<IOpenApiSchema>(name, await context.GetOrCreateSchemaAsync(kind, cancellationToken: ct));
            lines.Add(new OpenApiSchemaReference(name, context.Document));
        }

        ((OpenApiResponse)operation.Responses!["200"]).Content = new Dictionary<string, OpenApiMediaType>
        {
            [NdJson.ContentType] = new() { Schema = lines is [var only] ? only : new OpenApiSchema { AnyOf = lines } },
        };
    }
}
