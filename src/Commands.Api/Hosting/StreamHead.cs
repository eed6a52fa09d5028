using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// HEAD of a stream: the media type without the stream, which would be read for nothing, or would never end.
/// </summary>
internal static class StreamHead
{
    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (!MethodRules.IsHead(http) || MediaTypeOf(http.GetEndpoint()) is not { } type) return next(http);
        http.Response.ContentType = type;
        http.Response.Headers.CacheControl = "no-store";
        return Task.CompletedTask;
    }

    private static string? MediaTypeOf(Endpoint? endpoint)
    {
        if (endpoint?.Metadata.GetMetadata<NdJsonMetadata>() is not null) return NdJson.ContentType;
        var name = endpoint?.Metadata.GetMetadata<IEndpointNameMetadata>()?.EndpointName;
        return name == nameof(FollowEvents) ? "text/event-stream" : null;
    }
}
