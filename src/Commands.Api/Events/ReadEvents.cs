using ApexShop.Commands.Api.Commands;
using ApexShop.Events;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// GET /events: the event log after a position as NDJSON, one CloudEvent per line, up to the last event at the time of
/// the request; can be resumed after any line. Compacted, it contains only the last event of each aggregate. An
/// interrupted response ends with a line that has a member `error`. The key also needs the read scopes of the selected
/// resources. Where old events are removed, a response that would lack some is refused, except that of an aggregate.
/// </summary>
internal static class ReadEvents
{
    public static void Map(RouteGroupBuilder events) => events.MapGet("", Handle)
        .WithName(nameof(ReadEvents))
        .WithMetadata(new NdJsonMetadata([.. EventTypes.All.Select(type => type.Data).Distinct()]))
        .DisableRequestTimeout();

    private static async Task Handle(
        HttpContext http, EventLogReader log, LogHeadReader heads, EventLogStream stream, ReaderLimit readers)
    {
        var query = new EventQuery(
            http.Request.Query, "after", "log", "resource", "types", "aggregate", "compacted", "incomplete", "limit");
        var filter = query.Filter();
        var after = query.Number("after", 0, long.MaxValue) ?? 0;
        var limit = (int)(query.Number("limit", 1, int.MaxValue) ?? int.MaxValue);
        var isCompacted = query.Flag("compacted");
        var isWhole = query.IsWhole(filter) && !isCompacted;
        if ((query.Refusal() ?? EventScopes.Refusal(http.User, filter)) is { } refused)
        {
            await CommandResponses.ToHttp(refused).ExecuteAsync(http);
            return;
        }

        using var place = readers.Take(http.User, filter, limit, isCompacted);
        if (!place.IsAcquired)
        {
            await CommandResponses.ToHttp(ReaderLimit.Busy).ExecuteAsync(http);
            return;
        }

        var ct = http.RequestAborted;
        var head = await heads.ReadAsync(after, ct);
        var range = new EventRange(filter, head.Position, isCompacted, isWhole);
        if (await ReplacedLogCheck.FindAsync(log, head, query.LogId, after, ct) is { } replaced)
            await CompactedLink.RefuseAsync(http, replaced);
        else if (HeadAndOptionsRequests.IsHead(http)) await SendHeadAsync(http, log, head, range, after);
        else await SendAsync(http, stream, head, range, after, limit);
    }

    // A response to HEAD has no body, so the events are not read.
    private static async Task SendHeadAsync(
        HttpContext http, EventLogReader log, LogHead head, EventRange range, long after)
    {
        if (await RemovedEvents.FindAsync(log, range, after, http.RequestAborted) is { } gone)
            await CompactedLink.RefuseAsync(http, gone);
        else EventLogStream.WriteHeaders(http.Response, head);
    }

    private static async Task SendAsync(
        HttpContext http, EventLogStream stream, LogHead head, EventRange range, long after, int limit)
    {
        try
        {
            await stream.SendAsync(http, head, range, after, limit);
        }
        catch (EventsRemovedException removed)
        {
            await CompactedLink.RefuseAsync(http, RemovedEvents.Refusal(after, removed.UpTo));
        }
    }
}
