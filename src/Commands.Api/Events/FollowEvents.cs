using ApexShop.Commands.Api.Commands;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// GET /events/live: new events as server-sent events, after the position in `Last-Event-ID` or `after`, or else from
/// now on. The id of a record is the log's identity, a colon and the position of its event; a comment is sent when
/// there is no event for a while. The key also needs the read scopes of the selected resources.
/// </summary>
internal static class FollowEvents
{
    public static void Map(RouteGroupBuilder events) => events.MapGet("/live", Handle)
        .WithName(nameof(FollowEvents))
        .DisableRequestTimeout();

    private static async Task Handle(
        HttpContext http, EventLogReader log, LogHeadReader heads, LogTail tail, LiveEventStream stream)
    {
        var query = new EventQuery(http.Request.Query, "after", "log", "resource", "types", "aggregate", "incomplete");
        var filter = query.Filter();
        var isWhole = query.IsWhole(filter);
        var resume = query.ResumePosition(http.Request.Headers);
        if ((query.Refusal() ?? EventScopes.Refusal(http.User, filter)) is { } refused)
        {
            await CommandResponses.ToHttp(refused).ExecuteAsync(http);
            return;
        }

        using var lease = tail.TryFollow(http.User);
        if (!lease.IsAcquired)
        {
            await CommandResponses.ToHttp(ReaderLimit.Busy).ExecuteAsync(http);
            return;
        }

        // The head is read before the status line, so that an unavailable database is still a 503.
        var ct = http.RequestAborted;
        var after = resume.Position ?? 0;
        var head = await heads.ReadAsync(after, ct);
        var range = new EventRange(filter, head.Position, IsCompacted: false, isWhole);
        var gone = await ReplacedLogCheck.FindAsync(log, head, resume.LogId, after, ct)
            ?? await RemovedEvents.FindAsync(log, range, resume.Position ?? head.Position, ct);
        if (gone is not null && !resume.IsRecordId) await CompactedLink.RefuseAsync(http, gone);
        else if (HeadAndOptionsRequests.IsHead(http)) LiveEventStream.WriteHeaders(http.Response, head);
        else if (gone is null) await stream.SendAsync(http, range, resume, head);
        else await stream.RefuseAsync(http, resume, head, gone);
    }
}
