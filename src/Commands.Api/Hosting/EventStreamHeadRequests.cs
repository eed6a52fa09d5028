using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// HEAD of an event stream: the media type without the stream, which would be read for nothing, or would never end.
/// </summary>
internal static class EventStreamHeadRequests
{
    private static readonly Dictionary<string, string> mediaTypes = new()
    {
        [nameof(ReadEvents)] = NdJson.ContentType,
        [nameof(FollowEvents)] = "text/event-stream",
    };

    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var name = http.GetEndpoint()?.Metadata.GetMetadata<IEndpointNameMetadata>()?.EndpointName ?? "";
        if (!HeadAndOptionsRequests.IsHead(http) || !mediaTypes.TryGetValue(name, out var type)) return next(http);
        http.Response.ContentType = type;
        http.Response.Headers.CacheControl = "no-store";
        return Task.CompletedTask;
    }
}
