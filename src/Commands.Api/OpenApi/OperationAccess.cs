using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The scope that a key needs for an operation.</summary>
internal sealed class OperationAccess : IOpenApiOperationTransformer
{
    public const string Scheme = "apiKey";

    public static string? ScopeOf(IEnumerable<object> metadata) =>
        metadata.OfType<IAuthorizeData>().Select(needed => needed.Policy).LastOrDefault();

    public Task TransformAsync(OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken ct)
    {
        if (ScopeOf(context.Description.ActionDescriptor.EndpointMetadata) is not { } scope) return Task.CompletedTask;
        operation.Security = [new() { [new OpenApiSecuritySchemeReference(Scheme, context.Document)] = [scope] }];
        operation.Description += $" Needs a key with the scope `{scope}`.";
        return Task.CompletedTask;
    }
}
