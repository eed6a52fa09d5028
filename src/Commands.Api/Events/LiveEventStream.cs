using System.Buffers;
using System.Text;
using ApexShop.Commands.Api.Commands;
using ApexShop.Errors;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Sends the log to one follower until it disconnects: from the tail's buffer or, when the follower is too far behind,
/// from the log. In both cases the follower's position decides what is sent next, so no event is repeated or lost.
/// </summary>
internal sealed class LiveEventStream(
    EventLogReader log,
    LogHeadReader heads,
    LogTail tail,
    IHostApplicationLifetime process,
    TimeProvider clock,
    IOptions<EventsOptions> options,
    ILogger<LiveEventStream> logger)
{
    // Of each follower that is behind; there may be many more of them than readers of the whole log.
    private const int PageBytes = 128 * 1024;

    public async Task SendAsync(HttpContext http, EventRange range, ResumePosition resume, LogHead head)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(
            http.RequestAborted, process.ApplicationStopping);
        var follower = new Follower(http.Response, range, resume.Position ?? head.Position, clock);
        try
        {
            if (follower.Position > head.Position)
            {
                await RefuseAsync(http, resume, head, "events.beyond_head", head.Position, []);
                return;
            }

            await StartAsync(http, follower.Position, head.LogId, head);
            while (!end.IsCancellationRequested && await SendNextAsync(http.Response, follower, head, end.Token));
        }
        // The end of the response is enough: the client reconnects with its last position.
        catch (OperationCanceledException) when (process.ApplicationStopping.IsCancellationRequested)
        {
            return;
        }
        catch (EventsRemovedException)
        {
            await WriteErrorAsync(http, RemovedEvents.Code, follower.Position, []);
        }
        catch (Exception failure) when (failure.IsDatabaseFailure && !end.IsCancellationRequested)
        {
            logger.EventsInterrupted(failure.Reason, failure.Unexpected);
        }
    }

    public static void WriteHeaders(HttpResponse response, LogHead head)
    {
        response.ContentType = "text/event-stream";
        head.WriteTo(response.Headers);
        // A proxy that buffers responses would delay events.
        response.Headers["X-Accel-Buffering"] = "no";
    }

    /// <summary>
    /// In the stream, because many clients of server-sent events do not show the status or the headers of a response.
    /// The id stays that of the client, so that one that connects again is refused again. Where events were removed the
    /// client may continue after its position, and in another log it begins again.
    /// </summary>
    public Task RefuseAsync(HttpContext http, ResumePosition resume, LogHead head, Problem refusal) => RefuseAsync(
        http, resume, head, refusal.Code,
        after: refusal.Code == RemovedEvents.Code ? resume.Position ?? 0 : 0,
        refusal.Extensions);

    private async Task RefuseAsync(
        HttpContext http,
        ResumePosition resume,
        LogHead head,
        string code,
        long after,
        Dictionary<string, object?> members)
    {
        await StartAsync(http, resume.Position ?? 0, resume.LogId, head);
        await WriteErrorAsync(http, code, after, members);
    }

    // An id without data is not an event, but becomes the Last-Event-ID of a client that reconnects before the first
    // event.
    private async Task StartAsync(HttpContext http, long position, string? logId, LogHead head)
    {
        var response = http.Response;
        WriteHeaders(response, head);
        // Without a log it stays a position alone: an empty identity would be that of an unknown log.
        var id = logId is null ? $"{position}" : $"{logId}:{position}";
        Write(response, $"retry: {options.Value.RetryMilliseconds}\nid: {id}\n\n");
        await response.BodyWriter.FlushAsync(http.RequestAborted);
    }

    private static async Task WriteErrorAsync(
        HttpContext http, string code, long after, Dictionary<string, object?> members)
    {
        http.Response.BodyWriter.Write("event: error\ndata: "u8);
        http.Response.BodyWriter.Write(ErrorLine.Serialize(http, code, after, members));
        http.Response.BodyWriter.Write("\n\n"u8);
        await http.Response.BodyWriter.FlushAsync(http.RequestAborted);
    }

    // False when the log was replaced or the key changed: the client connects again, and is refused then.
    private async Task<bool> SendNextAsync(
        HttpResponse response, Follower follower, LogHead head, CancellationToken ct)
    {
        // Taken before the buffer is read, because an event that arrives in between completes it.
        var moved = tail.Moved;
        var heartbeat = options.Value.Heartbeat;
        follower.Events.Clear();
        var before = follower.Position;
        if (!tail.Buffer.TryRead(follower.Position, EventLogReader.PageSize, PageBytes, follower.Events))
            await ReadLogAsync(follower, ct);
        else if (follower.Events.Count > 0) follower.Position = follower.Events[^1].Entry.Position;
        if (follower.Position == before) await moved.WaitAsync(heartbeat, clock, ct).WithoutThrowing();

        if (tail.Buffer.LogId is { } logId && logId != head.LogId) return false;
        if (head.IsReplacedIn(follower.Events.Select(live => live.Entry))) return false;
        if (EventScopes.FindRefusal(response.HttpContext, follower.Range.Filter) is not null) return false;
        var isEmpty = await follower.WriteEventsAsync() == 0;
        // Also sent when the filter excludes all events: the id lets the client resume near the head of the log.
        if (isEmpty && follower.Silence < heartbeat) return true;
        if (isEmpty) Write(response, $": heartbeat\nid: {head.LogId}:{follower.Position}\n\n");
        await follower.FlushAsync();
        return true;
    }

    private async Task ReadLogAsync(Follower follower, CancellationToken ct)
    {
        // The buffer's end was perhaps read without a follower, and then it was not checked.
        var head = await heads.ReadAsync(follower.Position, ct);
        var range = follower.Range with { UpTo = Math.Min(head.Position, tail.Buffer.Last) };
        var page = await log.ReadAsync(
            range, follower.Position, EventLogReader.PageSize, follower.PageSize, PageBytes, ct);
        follower.PageSize = page.NextSize;
        follower.Events.AddRange(page.Entries.Select(entry => new LiveEvent(entry)));
        follower.Position = Math.Max(follower.Position, page.IsLast ? range.UpTo : page.LastPosition);
    }

    private static void Write(HttpResponse response, FormattableString text) =>
        Encoding.UTF8.GetBytes(FormattableString.Invariant(text), response.BodyWriter);
}
