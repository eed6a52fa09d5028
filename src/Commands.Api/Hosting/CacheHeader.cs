using Microsoft.AspNetCore.Authorization;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Forbids caches to store the responses of endpoints that need a scope. Those of a Projector are forwarded without
/// their own Cache-Control.
/// </summary>
internal static class CacheHeader
{
    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (http.GetEndpoint()?.Metadata.GetMetadata<IAuthorizeData>() is not null)
            http.Response.Headers.CacheControl = "no-store";
        return next(http);
    }
}
