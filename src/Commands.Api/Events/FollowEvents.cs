using ApexShop.Commands.Api.Results;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// GET /events/live: events as server-sent events while they happen, from the position in `Last-Event-ID` or `after` on, else
/// from now on. The id of a record is its event's position; comments say that the line is still there.
/// </summary>
internal static class FollowEvents
{
    private static readonly Problem busy = new(
        StatusCodes.Status503ServiceUnavailable, "streams.busy", "As many streams as allowed are running.");

    public static void Map(RouteGroupBuilder events) => events.MapGet("/live", Handle)
        .WithName(nameof(FollowEvents))
        .DisableRequestTimeout();

    private static async Task Handle(HttpContext http, EventFeed feed, LogTail tail, LiveStream stream)
    {
        var query = new EventQuery(http.Request.Query, "after", "resource", "types", "aggregate");
        var filter = query.Filter();
        var after = query.Place(http.Request.Headers);
        if (query.Problem() is { } invalid)
        {
            await invalid.ExecuteAsync(http);
            return;
        }

        using var place = tail.TryFollow();
        if (place is null) await Answers.ToHttp(busy).ExecuteAsync(http);
        // Asked before the status line, so that a database that is unavailable is a proper 503.
        else await stream.SendAsync(http, filter, after, await feed.HeadAsync(http.RequestAborted));
    }
}
