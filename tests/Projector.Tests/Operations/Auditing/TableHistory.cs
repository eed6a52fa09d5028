using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.Tests.Harness;
using Microsoft.AspNetCore.WebUtilities;

namespace ApexShop.Projector.Tests.Operations.Auditing;

/// <summary>
/// The tables that a history leaves, as Commands.Api answers for them: GET /events/checksums and GET
/// /events/aggregates. All else is asked of the history.
/// </summary>
internal sealed class TableHistory(EventHistory history) : DelegatingHandler(history)
{
    /// <summary>States that stand in the tables and not in the log: rows that were changed by hand.</summary>
    public Dictionary<(string Resource, int Id), byte[]> ByHand { get; } = [];

    /// <summary>Rows that were deleted by hand.</summary>
    public HashSet<(string Resource, int Id)> GoneByHand { get; } = [];

    /// <summary>Aggregates with an event in the outbox.</summary>
    public HashSet<(string Resource, int Id)> Waiting { get; } = [];

    /// <summary>Runs before each answer about the aggregates of a bucket.</summary>
    public Func<Task> BeforeAggregates { get; set; } = () => Task.CompletedTask;

    /// <summary>Answers about the aggregates of a bucket so far.</summary>
    public int Looks { get; private set; }

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var path = request.RequestUri!.AbsolutePath;
        if (path == "/events" || !history.Available) return await base.SendAsync(request, cancellationToken);
        var query = QueryHelpers.ParseQuery(request.RequestUri.Query);
        var resource = query["resource"].ToString();
        if (path == "/events/checksums") return Answer(Buckets(resource, Number("from"), Number("limit")));
        Looks++;
        await BeforeAggregates();
        return Answer(Aggregates(resource, Number("bucket")));

        int Number(string name) => int.Parse(query[name].ToString(), CultureInfo.InvariantCulture);
    }

    private static HttpResponseMessage Answer<T>(IEnumerable<T> lines) => new(HttpStatusCode.OK)
    {
        Content = new ByteArrayContent(Encoding.UTF8.GetBytes(
            string.Concat(
                lines.Select(line => JsonSerializer.Serialize(line, typeof(T), OperationsJson.Default) + "\n")))),
    };

    private List<BucketChecksum> Buckets(string resource, int from, int limit)
    {
        var all = Rows(resource).GroupBy(row => row.Id / StateChecksum.BucketSize).Where(
            bucket => bucket.Key >= from).OrderBy(bucket => bucket.Key)
            .Select(bucket => new BucketChecksum(
                bucket.Key,
                bucket.Count(),
                StateChecksum.OfBucket(bucket.OrderBy(row => row.Id).Select(row => StateChecksum.Of(row.State)))))
            .ToList();
        return [.. all.Where(bucket => bucket.Bucket < all[0].Bucket + limit)];
    }

    private List<AggregateCheck> Aggregates(string resource, int bucket)
    {
        var rows = Rows(resource).ToDictionary(row => row.Id, row => row.State);
        var last = Last(resource).ToDictionary(entry => entry.AggregateId);
        return [.. last.Keys.Union(rows.Keys).Where(id => id / StateChecksum.BucketSize == bucket).Order().Select(id =>
        {
            var (row, entry) = (rows.GetValueOrDefault(id), last.GetValueOrDefault(id));
            return new AggregateCheck(
                id,
                row is null ? null : Version(row),
                row is null ? null : Convert.ToHexStringLower(StateChecksum.Of(row)),
                entry?.Position,
                entry is null ? null : Version(entry.Data.ToArray()),
                entry is not null && IsDeletion(entry),
                Waiting.Contains((resource, id)));
        })];
    }

    private IEnumerable<(int Id, byte[] State)> Rows(string resource)
    {
        var byHand = ByHand.Where(row => row.Key.Resource == resource).ToDictionary(
            row => row.Key.Id, row => row.Value);
        var logged = Last(resource).Where(entry => !IsDeletion(entry) && !byHand.ContainsKey(entry.AggregateId))
            .Select(entry => (entry.AggregateId, entry.Data.ToArray()));
        return logged.Concat(byHand.Select(row => (row.Key, row.Value))).Where(
            row => !GoneByHand.Contains((resource, row.Item1)));
    }

    private IEnumerable<LogEntry> Last(string resource) =>
        history.Entries.Where(entry => entry.Resource == resource).GroupBy(entry => entry.AggregateId).Select(
            entries => entries.Last());

    private static bool IsDeletion(LogEntry entry) => entry.Type.EndsWith(".deleted", StringComparison.Ordinal);

    private static long Version(byte[] state)
    {
        using var json = JsonDocument.Parse(state);
        return json.RootElement.GetProperty("version").GetInt64();
    }
}
