using System.Runtime.CompilerServices;
using ApexShop.Operations;
using ApexShop.Projector.Documents;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>The types that every audit uses.</summary>
internal sealed record AuditParts(
    BucketReader Reader, BucketComparer Comparer, Repairer Repairer, WriteSideClient WriteSide, TimeProvider Clock);

/// <summary>
/// One audit, bucket by bucket, with only one bucket in memory. The first pass compares the rows of the documents, and
/// repairs them if this is requested; the second compares what is derived from them.
/// </summary>
internal sealed class AuditRun(AuditParts parts, AuditingOptions options, AuditRequest request)
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(1);

    private readonly AuditCounts counts = new(options.Named);
    private TimeSpan waitingTime = options.Patience;

    public async IAsyncEnumerable<AuditLine> LinesAsync([EnumeratorCancellation] CancellationToken ct)
    {
        var (started, reported) = (parts.Clock.GetTimestamp(), parts.Clock.GetTimestamp());
        foreach (var pass in request.From.Passes())
        {
            var (part, kind, _) = pass;
            counts.Begin(pass);
            await foreach (var (bucket, checksum) in BucketsAsync(pass, ct))
            {
                var found = await BucketAsync(kind, bucket, checksum, part, ct);
                foreach (var line in counts.Count(kind, bucket, found)) yield return line;
                if (parts.Clock.GetElapsedTime(reported) < interval) continue;
                reported = parts.Clock.GetTimestamp();
                yield return counts.Progress;
            }

            yield return counts.Progress;
        }

        yield return counts.Summary(parts.Clock.GetElapsedTime(started));
    }

    private async IAsyncEnumerable<(int Bucket, BucketChecksum? Checksum)> BucketsAsync(
        AuditPosition pass, [EnumeratorCancellation] CancellationToken ct)
    {
        var (part, kind, from) = pass;
        var writeSide = part == CheckedPart.Rows ? new WriteSideBuckets(parts.WriteSide, kind) : null;
        while (true)
        {
            var documents = await parts.Reader.NextAsync(kind, from, ct);
            var rows = writeSide is null ? null : await writeSide.NextAsync(Math.Max(0, from), ct);
            if (documents is null && rows is null) yield break;
            var bucket = Math.Min(documents ?? int.MaxValue, rows?.Bucket ?? int.MaxValue);
            yield return (bucket, rows?.Bucket == bucket ? rows : null);
            from = bucket + 1;
        }
    }

    private async Task<List<Difference>> BucketAsync(
        string kind, int bucket, BucketChecksum? checksum, CheckedPart part, CancellationToken ct)
    {
        var ids = BucketReader.IdsOf(bucket);
        var snapshot = await parts.Reader.ReadAsync(kind, bucket, ids, part, ct);
        var isRows = part == CheckedPart.Rows;
        List<Difference> found = [.. isRows ? await CompareAsync(snapshot, checksum, ct) : Derived(snapshot.Found)];
        if (!request.Repair || found.Count == 0) return found;
        return isRows ? await RepairRowsAsync(snapshot, found, ct) : await RepairDerivedAsync(snapshot, ids, found, ct);
    }

    private async Task<IEnumerable<Difference>> CompareAsync(
        BucketSnapshot snapshot, BucketChecksum? checksum, CancellationToken ct)
    {
        counts.Compared(snapshot.Found.Documents.Values.Count(document => !document.IsDeleted));
        var comparison = await parts.Comparer.CompareAsync(snapshot, checksum, waitingTime, ct);
        // No further bucket waits for a projection that makes no progress.
        if (comparison.NotCompared > 0) waitingTime = TimeSpan.Zero;
        counts.NotCompared += comparison.NotCompared;
        return comparison.Differences;
    }

    private static IEnumerable<Difference> Derived(DocumentCheckResult found)
    {
        var derived = found.Documents.Values
            .Where(document => document is { IsDerivedWrong: true, WrongColumns.Count: 0 })
            .Select(document => new Difference(Difference.Derived, document.Id, []));
        var sideTables = found.WrongSideTables.GroupBy(wrong => wrong.Id, wrong => wrong.Table)
            .Select(tables => new Difference(Difference.SideTable, tables.Key, [.. tables.Distinct()]));
        return derived.Concat(sideTables);
    }

    private async Task<List<Difference>> RepairRowsAsync(
        BucketSnapshot snapshot, List<Difference> found, CancellationToken ct)
    {
        int[] ids = [.. found.Select(difference => difference.Id!.Value)];
        await parts.Repairer.RepairRowsAsync(snapshot.Kind, ids, ct);
        var again = await parts.Reader.ReadAsync(snapshot.Kind, snapshot.Bucket, ids, CheckedPart.Rows, ct);
        var left = (await parts.Comparer.CompareAsync(again, ids, waitingTime, ct)).Differences;
        return found.ConvertAll(difference => left.FirstOrDefault(other => other.Id == difference.Id) is { } still
            ? still with { Repaired = false }
            : difference with { Repaired = true });
    }

    private async Task<List<Difference>> RepairDerivedAsync(
        BucketSnapshot snapshot, int[] ids, List<Difference> found, CancellationToken ct)
    {
        await parts.Repairer.RepairDerivedAsync(snapshot.Kind, snapshot.Bucket, found, ct);
        var again = await parts.Reader.ReadAsync(snapshot.Kind, snapshot.Bucket, ids, CheckedPart.Derived, ct);
        var left = Derived(again.Found).Select(difference => (difference.What, difference.Id)).ToHashSet();
        return found.ConvertAll(
            difference => difference with { Repaired = !left.Contains((difference.What, difference.Id)) });
    }
}
