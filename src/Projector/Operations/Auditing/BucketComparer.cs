using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>The differences of a bucket, and how many documents were behind their rows for too long.</summary>
internal sealed record BucketComparison(IReadOnlyList<Difference> Differences, int NotCompared);

/// <summary>
/// Compares the documents of a bucket with the rows of the write side. A difference may be an event that is not applied
/// yet: the document is compared again until the projection has passed the row's last event.
/// </summary>
internal sealed class BucketComparer(
    BucketReader reader, WriteSideClient writeSide, EventLogClient log, Projections projections, TimeProvider clock)
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(200);

    /// <summary>Compares all documents of the bucket; the checksum of its rows is null without any.</summary>
    public async Task<BucketComparison> CompareAsync(
        BucketSnapshot snapshot, BucketChecksum? checksum, TimeSpan waitingTime, CancellationToken ct) =>
        IsSame(snapshot, checksum) ? new([], 0) : await CompareAsync(snapshot, only: null, waitingTime, ct);

    /// <summary>Compares some documents of the snapshot; null for all.</summary>
    public async Task<BucketComparison> CompareAsync(
        BucketSnapshot snapshot, int[]? only, TimeSpan waitingTime, CancellationToken ct)
    {
        var started = clock.GetTimestamp();
        var differences = new List<Difference>();
        var first = new Dictionary<int, AggregateCheck>();
        while (true)
        {
            // Read after the snapshot, so that the rows have everything that the documents show.
            var rows = snapshot.Bucket < 0 ? [] : await writeSide.AggregatesAsync(snapshot.Kind, snapshot.Bucket, ct);
            only ??= [.. snapshot.Found.Documents.Keys.Union(rows.Keys)];
            int[] open =
            [
                .. only.Where(id => !IsDecided(snapshot, id, rows.GetValueOrDefault(id), first, differences)),
            ];
            if (open.Length == 0 || clock.GetElapsedTime(started) > waitingTime)
                return new(await WithReasonsAsync(snapshot, differences, rows, ct), open.Length);

            await Task.Delay(pause, clock, ct);
            snapshot = await reader.ReadAsync(snapshot.Kind, snapshot.Bucket, only = open, CheckedPart.Rows, ct);
        }
    }

    private static bool IsSame(BucketSnapshot snapshot, BucketChecksum? checksum)
    {
        var living = snapshot.Found.Documents.Values.Where(document => !document.IsDeleted).ToList();
        if (snapshot.Found.Documents.Values.Any(document => document.WrongColumns.Count > 0)) return false;
        if (living.Count != (checksum?.Count ?? 0) || living.Exists(document => document.Checksum is null))
            return false;
        return checksum is null
            || StateChecksum.OfBucket(living.Select(document => document.Checksum!)) == checksum.Checksum;
    }

    // False while the event that explains a difference is not applied yet.
    private static bool IsDecided(
        BucketSnapshot snapshot,
        int id,
        AggregateCheck? row,
        Dictionary<int, AggregateCheck> first,
        List<Difference> differences)
    {
        var document = snapshot.Found.Documents.GetValueOrDefault(id);
        var comparison = DocumentComparison.Of(document, row, snapshot.Checkpoint);
        if (document is { WrongColumns.Count: > 0 }) comparison = DocumentComparison.Wrong(Difference.Columns);
        else if (comparison.IsOpen && !first.TryAdd(id, row!))
            comparison = DocumentComparison.OfBusy(document, first[id], snapshot.Checkpoint);
        if (comparison.IsOpen) return false;
        if (comparison.What is { } what)
            differences.Add(
                new(snapshot.Parked.Contains(id) ? Difference.Parked : what, id, document?.WrongColumns ?? []));
        return true;
    }

    // Where the document has the state of the last event, the row was changed without one.
    private async Task<List<Difference>> WithReasonsAsync(
        BucketSnapshot snapshot,
        List<Difference> differences,
        Dictionary<int, AggregateCheck> rows,
        CancellationToken ct)
    {
        var different = differences.Where(one => one.What == Difference.State).Select(one => one.Id!.Value);
        var unlogged = new HashSet<int>();
        foreach (var chunk in different.Chunk(EventLogClient.MostAggregates))
        {
            foreach (var (id, entry) in await log.LastAsync(snapshot.Kind, chunk, snapshot.Checkpoint, ct))
            {
                var change = DecodedEvent.Decode(entry, projections[snapshot.Kind]).Change;
                var logged = change is null ? null : projections[snapshot.Kind].ChecksumOf(change.State);
                if (change?.State.Version == rows[id].Version && logged is not null
                    && Convert.ToHexStringLower(logged) != rows[id].Checksum)
                    unlogged.Add(id);
            }
        }

        return differences.ConvertAll(difference =>
            difference is { What: Difference.State, Id: { } id } && unlogged.Contains(id)
                ? difference with { What = Difference.Unlogged }
                : difference);
    }
}
