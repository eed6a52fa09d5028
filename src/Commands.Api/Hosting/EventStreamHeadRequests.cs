using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// HEAD of an event stream: the headers without the stream, which would be read for nothing, or would never end.
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
        return AddHeadAsync(http);
    }

    private static async Task AddHeadAsync(HttpContext http)
    {
        var log = http.RequestServices.GetRequiredService<LogHeadReader>();
        (await log.ReadAsync(after: 0, http.RequestAborted)).WriteTo(http.Response.Headers);
    }
}
