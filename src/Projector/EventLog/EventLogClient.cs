using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using ApexShop.Events;
using ApexShop.Projector.Intake;

namespace ApexShop.Projector.EventLog;

/// <summary>The event log of the write side, where a hole in the messages is filled from.</summary>
internal sealed class EventLogClient(HttpClient http)
{
    /// <summary>Entries of one answer, which become one transaction.</summary>
    public const int Chunk = 1000;

    // Entries of one answer to a reader of the whole log.
    private const int Page = 5_000;

    /// <summary>Aggregates that one request may ask for.</summary>
    public const int MostAggregates = 100;

    /// <summary>How long the last events of aggregates are waited for: whoever asks may hold up everything else.</summary>
    private static readonly TimeSpan patience = TimeSpan.FromSeconds(5);

    /// <summary>The resource's next entries after the position; none when it has no more.</summary>
    public Task<List<LogEntry>> ReadAsync(string resource, long after, int limit, CancellationToken ct) =>
        GetAsync(string.Create(CultureInfo.InvariantCulture, $"events?after={after}&resource={resource}&limit={limit}"), ct);

    /// <summary>The position of the last entry of all.</summary>
    public Task<long> HeadAsync(CancellationToken ct) => AnswerAsync(
        async limit =>
        {
            var beyond = string.Create(CultureInfo.InvariantCulture, $"events?after={long.MaxValue}&limit=1");
            using var answer = await http.GetAsync(new Uri(beyond, UriKind.Relative), limit);
            answer.EnsureSuccessStatusCode();
            return answer.Headers.TryGetValues(LogEntry.HeadHeader, out var head) && long.TryParse(head.Single(), CultureInfo.InvariantCulture, out var position)
                ? position
                : throw new JsonException("The answer does not tell the end of the log.");
        },
        ct,
        ct);

    /// <summary>The last entry of each of the aggregates, by id; what the log does not know is not among them.</summary>
    public async Task<IReadOnlyDictionary<int, LogEntry>> LastAsync(string resource, IReadOnlyCollection<int> ids, CancellationToken ct)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ids.Count, MostAggregates);
        var aggregates = string.Concat(ids.Select(id => string.Create(CultureInfo.InvariantCulture, $"&aggregate={resource}/{id}")));
        using var limit = new CancellationTokenSource(patience);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, limit.Token);
        var entries = await GetAsync($"events?after=0&compacted=true&limit={MostAggregates}{aggregates}", either.Token, ct);
        var last = new Dictionary<int, LogEntry>();
        foreach (var entry in entries)
        {
            // Whoever takes an earlier event for the last one goes back in time.
            if (entry.Resource != resource || !ids.Contains(entry.AggregateId) || !last.TryAdd(entry.AggregateId, entry))
                throw new EventLogException("The event log answered other events than the last ones that were asked for.");
        }

        return last;
    }

    /// <summary>
    /// The same behind the entry at the position itself, if there is more: it shows whether the log still is the one of
    /// which it was applied.
    /// </summary>
    public async Task<List<LogEntry>> ReadOnAsync(string resource, long position, int limit, CancellationToken ct)
    {
        var next = await ReadAsync(resource, position, limit, ct);
        if (next.Count == 0 || position == 0) return next;
        var last = await NextAsync(position - 1, ct);
        return last?.Position == position && last.Resource == resource ? [last, .. next] : next;
    }

    /// <summary>The entry after the position, of whatever resource; null at the end of the log.</summary>
    public async Task<LogEntry?> NextAsync(long after, CancellationToken ct) =>
        (await GetAsync(string.Create(CultureInfo.InvariantCulture, $"events?after={after}&limit=1"), ct)).SingleOrDefault();

    /// <summary>All entries of an aggregate that the log has.</summary>
    public async Task<IReadOnlyList<LogEntry>> HistoryAsync(string resource, int id, CancellationToken ct) =>
        await GetAsync(string.Create(CultureInfo.InvariantCulture, $"events?after=0&aggregate={resource}/{id}&limit={int.MaxValue}"), ct);

    /// <summary>
    /// The whole log, page by page, without entries that were superseded when their page was read. An aggregate may come
    /// again with a later one.
    /// </summary>
    public async IAsyncEnumerable<IReadOnlyList<LogEntry>> CompactedAsync([EnumeratorCancellation] CancellationToken ct)
    {
        for (var (after, isLast) = (0L, false); !isLast;)
        {
            var page = await GetAsync(
                string.Create(CultureInfo.InvariantCulture, $"events?after={after}&compacted=true&limit={Page}"), ct);
            isLast = page.Count < Page;
            if (page.Count == 0) continue;
            after = page[^1].Position;
            yield return page;
        }
    }

    private Task<List<LogEntry>> GetAsync(string path, CancellationToken ct) => GetAsync(path, ct, ct);

    private Task<List<LogEntry>> GetAsync(string path, CancellationToken limit, CancellationToken ct) =>
        AnswerAsync(async wait => Parse(await http.GetByteArrayAsync(new Uri(path, UriKind.Relative), wait)), limit, ct);

    private static async Task<T> AnswerAsync<T>(Func<CancellationToken, Task<T>> ask, CancellationToken limit, CancellationToken ct)
    {
        try
        {
            return await ask(limit);
        }
        catch (Exception exception) when (
            exception is HttpRequestException or JsonException
            || (exception is TaskCanceledException && !ct.IsCancellationRequested))
        {
            throw new EventLogException($"The event log does not answer: {exception.Message}", exception);
        }
    }

    private static List<LogEntry> Parse(ReadOnlyMemory<byte> lines)
    {
        var entries = new List<LogEntry>();
        while (!lines.IsEmpty)
        {
            var end = lines.Span.IndexOf((byte)'\n');
            var line = end < 0 ? lines : lines[..end];
            lines = end < 0 ? default : lines[(end + 1)..];
            if (!line.IsEmpty) entries.Add(CloudEvents.Read(line));
        }

        return entries;
    }
}
