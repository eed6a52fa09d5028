using System.Globalization;
using System.Net;
using System.Runtime.CompilerServices;
using System.Text.Json;
using ApexShop.Events;

namespace ApexShop.Projector.EventLog;

/// <summary>Reads the event log of the write side over HTTP. Old entries that later ones replace may be gone.</summary>
internal sealed class EventLogClient(HttpClient http) : IEventLog
{
    /// <summary>Entries of one response, which are applied or staged together.</summary>
    public const int Chunk = 1000;

    /// <summary>The most aggregates of one request.</summary>
    public const int MostAggregates = 100;

    // The caller holds the lock of the projection meanwhile.
    private static readonly TimeSpan lockedLimit = TimeSpan.FromSeconds(5);

    public Task<List<LogEntry>> ReadAsync(string resource, long after, int limit, CancellationToken ct) =>
        GetAsync($"events?after={after}&resource={resource}&limit={limit}", ct);

    public async Task<long> HeadAsync(CancellationToken ct) => Head(await HeaderAsync(LogEntry.HeadHeader, ct));

    /// <summary>The identity of the log; null from a process of a release that had none.</summary>
    public Task<string?> IdAsync(CancellationToken ct) => HeaderAsync(LogEntry.IdHeader, ct);

    /// <summary>Whether the log has the entries of a log with an earlier identity, up to the position.</summary>
    public Task<bool> ContinuesAsync(string logId, long position, CancellationToken ct) => RequestAsync(
        $"events?after={position}&log={logId}&limit=1",
        response => Task.FromResult(
            response.StatusCode != HttpStatusCode.Gone && response.EnsureSuccessStatusCode().IsSuccessStatusCode),
        ct,
        ct);

    /// <summary>
    /// The last entry of each aggregate, by id; an aggregate that is not in the log is left out. The log must have
    /// the events up to the position.
    /// </summary>
    public async Task<IReadOnlyDictionary<int, LogEntry>> LastAsync(
        string resource, IReadOnlyCollection<int> ids, long position, CancellationToken ct)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ids.Count, MostAggregates);
        var aggregates = string.Concat(ids.Select(id => FormattableString.Invariant($"&aggregate={resource}/{id}")));
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limited.CancelAfter(lockedLimit);
        var (entries, head) = await GetAsync(
            $"events?after=0&compacted=true&limit={MostAggregates}{aggregates}", limited.Token, ct);
        // The end is that of this response: another request might reach another server.
        if (Head(head) < position)
            throw new EventLogException($"The event log ends at {head}, before the event at {position}.");
        var last = new Dictionary<int, LogEntry>();
        foreach (var entry in entries)
        {
            // An earlier event in place of the last one would bring back an old state.
            if (entry.Resource != resource || !ids.Contains(entry.AggregateId)
                || !last.TryAdd(entry.AggregateId, entry))
                throw new EventLogException("The event log sent other events than the last ones of the aggregates.");
        }

        return last;
    }

    public async Task<LogEntry?> NextAsync(long after, CancellationToken ct) =>
        (await GetAsync($"events?after={after}&limit=1", ct)).SingleOrDefault();

    /// <summary>The next entries of an aggregate after the position that the log has.</summary>
    public async Task<IReadOnlyList<LogEntry>> HistoryAsync(
        string resource, int id, long after, CancellationToken ct) =>
        await GetAsync($"events?after={after}&aggregate={resource}/{id}&limit={Chunk}", ct);

    /// <summary>
    /// The log after the position, page by page, without entries that were superseded when their page was read. A later
    /// page may contain another entry of the same aggregate.
    /// </summary>
    public async IAsyncEnumerable<IReadOnlyList<LogEntry>> CompactedAsync(
        long after, [EnumeratorCancellation] CancellationToken ct)
    {
        // The next page is read while the caller works on one.
        for (var next = PageAsync(after, ct); await next is [.., var last] page;)
        {
            next = page.Count < Chunk ? Task.FromResult<List<LogEntry>>([]) : PageAsync(last.Position, ct);
            yield return page;
        }
    }

    // In an old log a page may take minutes, but an empty line is sent now and then: only the silence has a limit.
    private Task<List<LogEntry>> PageAsync(long after, CancellationToken ct) => RequestAsync(
        $"events?after={after}&compacted=true&limit={Chunk}",
        async response => CloudEvents.ReadLines(
            await SilenceLimit.ReadAsync(response.EnsureSuccessStatusCode().Content, http.Timeout, ct)),
        ct,
        ct,
        HttpCompletionOption.ResponseHeadersRead);

    private Task<string?> HeaderAsync(string name, CancellationToken ct) => RequestAsync(
        $"events?after={long.MaxValue}&limit=1",
        response => Task.FromResult(Header(response.EnsureSuccessStatusCode(), name)),
        ct,
        ct);

    private static string? Header(HttpResponseMessage response, string name) =>
        response.Headers.TryGetValues(name, out var values) ? values.Single() : null;

    private static long Head(string? header) =>
        long.TryParse(header, CultureInfo.InvariantCulture, out var head)
            ? head
            : throw new EventLogException("The response has no header with the end of the log.");

    private static Uri Path(FormattableString path) =>
        new(FormattableString.Invariant(path) + "&incomplete=true", UriKind.Relative);

    private async Task<List<LogEntry>> GetAsync(FormattableString path, CancellationToken ct) =>
        (await GetAsync(path, ct, ct)).Entries;

    private Task<(List<LogEntry> Entries, string? Head)> GetAsync(
        FormattableString path, CancellationToken limit, CancellationToken ct) => RequestAsync(
        path,
        async response => (
            CloudEvents.ReadLines(await response.EnsureSuccessStatusCode().Content.ReadAsByteArrayAsync(limit)),
            Header(response, LogEntry.HeadHeader)),
        limit,
        ct);

    private async Task<T> RequestAsync<T>(
        FormattableString path,
        Func<HttpResponseMessage, Task<T>> read,
        CancellationToken limit,
        CancellationToken ct,
        HttpCompletionOption completion = HttpCompletionOption.ResponseContentRead)
    {
        try
        {
            using var response = await http.GetAsync(Path(path), completion, limit);
            return await read(response);
        }
        catch (Exception exception) when (
            exception is HttpRequestException or IOException or JsonException or TimeoutException
            || (exception is TaskCanceledException && !ct.IsCancellationRequested))
        {
            throw new EventLogException($"The event log is unavailable: {exception.Message}", exception);
        }
    }
}
