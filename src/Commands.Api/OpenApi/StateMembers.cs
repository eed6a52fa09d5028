using ApexShop.Events;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// The schema of a state requires only what all its events have: older ones lack members that may be null.
/// </summary>
internal sealed class StateMembers : IOpenApiSchemaTransformer
{
    public Task TransformAsync(OpenApiSchema schema, OpenApiSchemaTransformerContext context, CancellationToken ct)
    {
        foreach (var member in EventJson.ReadingOf(context.JsonTypeInfo.Type)?.Properties ?? [])
        {
            if (!member.IsRequired) schema.Required?.Remove(member.Name);
        }

        return Task.CompletedTask;
    }
}
