using System.Buffers;
using ApexShop.Commands.Api.Commands;
using ApexShop.Errors;
using ApexShop.Events;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Sends a range of the log as NDJSON in bounded memory: the next page is read while one is sent, and no database
/// connection is held for a slow client.
/// </summary>
internal sealed class EventLogStream(
    EventLogReader log,
    IHostApplicationLifetime process,
    TimeProvider clock,
    IOptions<EventsOptions> options,
    ILogger<EventLogStream> logger)
{
    /// <summary>A page is written in slices, so that a client that reads slowly has only one in the output.</summary>
    public const int SliceBytes = 64 * 1024;

    /// <exception cref="EventsRemovedException">Nothing was sent.</exception>
    public async Task SendAsync(HttpContext http, LogHead head, EventRange range, long after, int limit)
    {
        // The first page is read before the status line, so that an unavailable database is still a 503.
        var page = await log.ReadAsync(range, after, limit, http.RequestAborted);
        WriteHeaders(http.Response, head);
        await SendAsync(http, head, range, page, after, limit);
    }

    public static void WriteHeaders(HttpResponse response, LogHead head)
    {
        response.ContentType = NdJson.ContentType;
        head.WriteTo(response.Headers);
    }

    private async Task SendAsync(HttpContext http, LogHead head, EventRange range, EventPage page, long after, int most)
    {
        var ct = http.RequestAborted;
        string? code;
        var lastSent = clock.GetTimestamp();
        try
        {
            while ((code = FindEnd(http, head, range, page)) is null)
            {
                var entries = page.Entries.Count <= most ? page.Entries : page.Entries[..most];
                most -= entries.Count;
                var next = Next(range, page, most, ct);
                lastSent = await WriteWhileAsync(next, http, entries, lastSent);
                if (next is null) return;
                after = page.LastPosition;
                page = await next;
            }
        }
        catch (EventsRemovedException)
        {
            code = RemovedEvents.Code;
        }
        catch (Exception failure) when (failure.IsDatabaseFailure && !ct.IsCancellationRequested)
        {
            logger.EventsInterrupted(failure.Reason, failure.Unexpected);
            code = "database.unavailable";
        }

        await ErrorLine.WriteAsync(http, code, after);
    }

    // The code of the line with which the response ends before the page; null while it goes on.
    private string? FindEnd(HttpContext http, LogHead head, EventRange range, EventPage page) =>
        process.ApplicationStopping.IsCancellationRequested ? "process.stopping"
        : head.IsReplacedIn(page.Entries) ? "log.replaced"
        : EventScopes.FindRefusal(http, range.Filter);

    private Task<EventPage>? Next(EventRange range, EventPage page, int most, CancellationToken ct) =>
        page.IsLast || most == 0
            ? null
            : log.ReadAsync(range, page.LastPosition, most, page.NextSize, EventLogReader.PageBytes, ct);

    // The request must not end before the next read, which uses a connection, not even when the client is gone.
    private async Task<long> WriteWhileAsync(
        Task<EventPage>? reading, HttpContext http, List<LogEntry> entries, long lastSent)
    {
        try
        {
            return await WriteAsync(http, entries, lastSent);
        }
        finally
        {
            if (reading is not null) await ((Task)reading).WithoutThrowing();
        }
    }

    // Returns when a line was last sent. In an old log millions of superseded events may be examined before the next
    // line: an empty one shows the client that the response goes on.
    private async Task<long> WriteAsync(HttpContext http, List<LogEntry> entries, long lastSent)
    {
        var isLate = entries.Count == 0 && clock.GetElapsedTime(lastSent) >= options.Value.Heartbeat;
        if (isLate) http.Response.BodyWriter.Write("\n"u8);
        var written = 0;
        // Also without entries: the first flush sends the headers.
        do
        {
            var (first, bytes) = (written, 0);
            while (written < entries.Count && bytes < SliceBytes) bytes += entries[written++].Data.Length;
            CloudEvents.WriteLines(http.Response.BodyWriter, entries[first..written]);
            await http.Response.BodyWriter.FlushAsync(http.RequestAborted);
        }
        while (written < entries.Count);
        return isLate || entries.Count > 0 ? clock.GetTimestamp() : lastSent;
    }
}
