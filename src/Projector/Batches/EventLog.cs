using System.Globalization;
using System.Text.Json;
using ApexShop.Events;

namespace ApexShop.Projector.Batches;

/// <summary>The event log of the write side, where a hole in the messages is filled from.</summary>
internal sealed class EventLog(HttpClient http)
{
    /// <summary>Entries of one answer, which become one transaction.</summary>
    public const int Chunk = 1000;

    /// <summary>Aggregates that one request may ask for.</summary>
    public const int MostAggregates = 100;

    private const string HeadHeader = "Log-Head";

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
            return answer.Headers.TryGetValues(HeadHeader, out var head) && long.TryParse(head.Single(), CultureInfo.InvariantCulture, out var position)
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

/// <summary>The event log cannot be read now; what needs it waits.</summary>
internal sealed class EventLogException(string message, Exception? inner = null) : Exception(message, inner);
