using System.Globalization;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Events;
using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Sends any part of the log in bounded memory: while one part is on its way the next is read, and no connection is held
/// for a client that takes its time.
/// </summary>
internal sealed class FeedStream(EventFeed feed, IHostApplicationLifetime process, ILogger<FeedStream> logger)
{
    public async Task SendAsync(HttpContext http, EventFilter filter, bool isCompacted, long after, int limit)
    {
        var range = new FeedRange(filter, await feed.HeadAsync(http.RequestAborted), isCompacted);
        // The first part is read before the status line: a database that is unavailable is still a proper 503.
        var first = await feed.ReadAsync(range, after, limit, http.RequestAborted);
        http.Response.ContentType = "application/x-ndjson";
        http.Response.Headers[LogEntry.HeadHeader] = range.UpTo.ToString(CultureInfo.InvariantCulture);
        var place = new Place(after, limit);
        try
        {
            await WriteAsync(http, range, first, place);
        }
        catch (NpgsqlException broken) when (!http.RequestAborted.IsCancellationRequested)
        {
            logger.FeedBroken(broken);
            await ErrorLine.WriteAsync(http, "database.unavailable", place.Sent);
        }
    }

    private async Task WriteAsync(HttpContext http, FeedRange range, FeedChunk chunk, Place place)
    {
        while (true)
        {
            var entries = chunk.Entries.Count <= place.Left ? chunk.Entries : chunk.Entries[..place.Left];
            place.Left -= entries.Count;
            var isLast = chunk.IsLast || place.Left == 0;
            var next = isLast ? null : feed.ReadAsync(range, chunk.Reached, place.Left, http.RequestAborted);

            CloudEvents.WriteLines(http.Response.BodyWriter, entries);
            await http.Response.BodyWriter.FlushAsync(http.RequestAborted);
            if (next is null) return;

            place.Sent = chunk.Reached;
            chunk = await next;
            if (!process.ApplicationStopping.IsCancellationRequested) continue;
            await ErrorLine.WriteAsync(http, "process.stopping", place.Sent);
            return;
        }
    }

    /// <summary>How far an answer has come, and how many events it may still have.</summary>
    private sealed class Place(long sent, int left)
    {
        public long Sent { get; set; } = sent;

        public int Left { get; set; } = left;
    }
}
