using ApexShop.Events;
using System.Buffers;
using System.Globalization;
using System.Text;
using ApexShop.Commands.Api.Hosting;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Sends one follower the log from a position on, for as long as he stays: out of the tail's buffer, or where he is too far
/// behind for that, from the log itself. Either way his position decides what comes next, so nothing comes twice or not.
/// </summary>
internal sealed class LiveStream(
    EventFeed feed, LogTail tail, IHostApplicationLifetime process, TimeProvider clock, IOptions<EventsOptions> options, ILogger<LiveStream> logger)
{
    public async Task SendAsync(HttpContext http, EventFilter filter, long? after, long head)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, process.ApplicationStopping);
        var follower = new Follower(filter, after ?? head);
        try
        {
            await StartAsync(http.Response, follower, head);
            while (!end.IsCancellationRequested) await GoOnAsync(http.Response, follower, end.Token);
        }
        // An answer that ends is all that a follower needs to be told: he comes back with the position he has.
        catch (OperationCanceledException) when (process.ApplicationStopping.IsCancellationRequested)
        {
            return;
        }
        catch (NpgsqlException broken) when (!end.IsCancellationRequested)
        {
            logger.FeedBroken(broken);
        }
    }

    // An id without data is no event, but what a client sends as Last-Event-ID if it loses the connection before the first.
    private async Task StartAsync(HttpResponse response, Follower follower, long head)
    {
        response.ContentType = "text/event-stream";
        response.Headers.CacheControl = "no-store";
        response.Headers[LogEntry.HeadHeader] = head.ToString(CultureInfo.InvariantCulture);
        // Proxies that collect answers would keep events back.
        response.Headers["X-Accel-Buffering"] = "no";
        Write(response, $"retry: {options.Value.RetryMilliseconds}\nid: {follower.Position}\n\n");
        await FlushAsync(response, follower);
    }

    private async Task GoOnAsync(HttpResponse response, Follower follower, CancellationToken ct)
    {
        // Taken before the buffer is looked at: what comes in between completes it.
        var moved = tail.Moved;
        follower.Entries.Clear();
        if (!tail.Buffer.TryRead(follower.Position, EventFeed.Chunk, follower.Entries)) await ReadBehindAsync(follower, ct);
        else if (follower.Entries.Count == 0) await moved.WaitAsync(options.Value.Heartbeat, clock, ct).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        else follower.Position = follower.Entries[^1].Entry.Position;

        var isSilent = true;
        foreach (var entry in follower.Entries.Where(entry => follower.Filter.Takes(entry.Entry)))
        {
            response.BodyWriter.Write(entry.Record);
            isSilent = false;
        }

        // Also when others' events woke him all the time: the id lets him come back where the log is now.
        if (isSilent && clock.GetElapsedTime(follower.LastSent) < options.Value.Heartbeat) return;
        if (isSilent) Write(response, $": still here\nid: {follower.Position}\n\n");
        await FlushAsync(response, follower);
    }

    // A write that is cancelled resets the connection: a process that stops lets it come to its end.
    private async Task FlushAsync(HttpResponse response, Follower follower)
    {
        await response.BodyWriter.FlushAsync(response.HttpContext.RequestAborted);
        follower.LastSent = clock.GetTimestamp();
    }

    private async Task ReadBehindAsync(Follower follower, CancellationToken ct)
    {
        var range = new FeedRange(follower.Filter, tail.Buffer.Last, IsCompacted: false);
        var part = await feed.ReadAsync(range, follower.Position, EventFeed.Chunk, ct);
        follower.Entries.AddRange(part.Entries.Select(entry => new TailEntry(entry)));
        follower.Position = Math.Max(follower.Position, part.IsLast ? range.UpTo : part.Reached);
    }

    private static void Write(HttpResponse response, FormattableString text) =>
        Encoding.UTF8.GetBytes(FormattableString.Invariant(text), response.BodyWriter);

    /// <summary>Where a follower is, and what comes next.</summary>
    private sealed class Follower(EventFilter filter, long position)
    {
        public EventFilter Filter => filter;

        public long Position { get; set; } = position;

        public long LastSent { get; set; }

        public List<TailEntry> Entries { get; } = [];
    }
}
