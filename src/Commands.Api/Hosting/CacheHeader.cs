using Microsoft.AspNetCore.Authorization;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Forbids caches to store the responses of endpoints that need a scope, refusals too. Those of a Projector are
/// forwarded without their own Cache-Control.
/// </summary>
internal static class CacheHeader
{
    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        // When the response starts: a timeout clears the headers that were set before.
        if (http.GetEndpoint()?.Metadata.GetMetadata<IAuthorizeData>() is not null)
            http.Response.OnStarting(ForbidAsync, http.Response);
        return next(http);
    }

    private static Task ForbidAsync(object response)
    {
        ((HttpResponse)response).Headers.CacheControl = "no-store";
        return Task.CompletedTask;
    }
}
