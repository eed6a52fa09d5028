using System.Globalization;
using System.IO.Pipelines;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Admin;

/// <summary>GET /events: the log after a position as NDJSON, one CloudEvent a line, resumable at any line.</summary>
internal static class ReadEvents
{
    private const int DefaultLimit = 1_000;
    private const int MaxLimit = 10_000;

    /// <summary>Entries held at a time: the connection goes back to the pool before the caller has read them.</summary>
    private const int Chunk = 500;

    public static void Map(RouteGroupBuilder events) =>
        events.MapGet("", Handle).WithName(nameof(ReadEvents)).WithMetadata(new EventsRead(DefaultLimit, MaxLimit));

    private static async Task Handle(HttpContext http, EventLog log, CancellationToken ct)
    {
        var errors = new Dictionary<string, string[]>();
        var range = Range(http.Request.Query, errors);
        if (errors.Count > 0)
        {
            await TypedResults.ValidationProblem(errors).ExecuteAsync(http);
            return;
        }

        // The first chunk is read before the status line: a database that is away is still a proper 503.
        var first = await log.ReadAsync(range.After, Math.Min(range.Limit, Chunk), range.Resource, ct);
        http.Response.ContentType = "application/x-ndjson";
        await WriteAsync(http.Response.BodyWriter, log, range, first, ct);
    }

    private static async Task WriteAsync(PipeWriter body, EventLog log, LogRange range, List<LogEntry> chunk, CancellationToken ct)
    {
        var left = range.Limit;
        while (chunk.Count > 0)
        {
            foreach (var entry in chunk)
            {
                CloudEvents.Write(body, entry);
                body.GetSpan(1)[0] = (byte)'\n';
                body.Advance(1);
            }

            await body.FlushAsync(ct);
            left -= chunk.Count;
            if (left <= 0 || chunk.Count < Chunk) return;
            chunk = await log.ReadAsync(chunk[^1].Position, Math.Min(left, Chunk), range.Resource, ct);
        }
    }

    private static LogRange Range(IQueryCollection query, Dictionary<string, string[]> errors)
    {
        foreach (var name in query.Keys.Except(["after", "resource", "limit"]))
            errors[name] = ["There is no such parameter; after, resource and limit are known."];
        var after = Number(query, "after", 0, long.MaxValue, 0, errors);
        var limit = Number(query, "limit", 1, MaxLimit, DefaultLimit, errors);
        string? resource = query.TryGetValue("resource", out var text) ? text.ToString() : null;
        if (resource is not null && !Resources.All.Contains(resource))
            errors["resource"] = [$"A resource is one of {string.Join(", ", Resources.All)}."];
        return new LogRange(after, (int)limit, resource);
    }

    private static long Number(
        IQueryCollection query, string name, long min, long max, long absent, Dictionary<string, string[]> errors)
    {
        if (!query.TryGetValue(name, out var text)) return absent;
        if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) && value >= min && value <= max)
            return value;
        errors[name] = [string.Create(CultureInfo.InvariantCulture, $"A whole number from {min} to {max}.")];
        return absent;
    }

    private sealed record LogRange(long After, int Limit, string? Resource);
}
