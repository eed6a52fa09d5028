using System.Runtime.CompilerServices;
using ApexShop.Operations;
using ApexShop.Projector.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Auditing;

/// <summary>What audits are made of.</summary>
internal sealed record AuditParts(BucketReader Reader, BucketJudge Judge, Mender Mender, Truth Truth, TimeProvider Clock);

/// <summary>
/// One audit: bucket by bucket, with the memory of one bucket. It goes over the documents twice: what is wrong by itself
/// is named, and with repair put right, before what is derived from it.
/// </summary>
internal sealed class AuditRun(AuditParts parts, AuditingOptions options, bool repair)
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(1);

    // Counts of products are part of categories.
    private static readonly string[] derivedOrder =
        [Resource.Products.Name, Resource.Categories.Name, Resource.Users.Name, Resource.Orders.Name, Resource.Reviews.Name];

    private readonly AuditTally tally = new(options.Named);
    private TimeSpan patience = options.Patience;

    public async IAsyncEnumerable<AuditLine> LinesAsync([EnumeratorCancellation] CancellationToken ct)
    {
        var (started, told) = (parts.Clock.GetTimestamp(), parts.Clock.GetTimestamp());
        foreach (var (kind, part) in Passes())
        {
            tally.Begin(kind);
            await foreach (var (bucket, checksum) in BucketsAsync(kind, part, ct))
            {
                var found = await BucketAsync(kind, bucket, checksum, part, ct);
                foreach (var line in tally.Count(kind, bucket, found)) yield return line;
                if (parts.Clock.GetElapsedTime(told) < interval) continue;
                told = parts.Clock.GetTimestamp();
                yield return tally.Progress;
            }

            yield return tally.Progress;
        }

        yield return tally.Summary(parts.Clock.GetElapsedTime(started));
    }

    private static IEnumerable<(string Kind, ExaminedPart Part)> Passes() => Resource.Names.Select(kind => (kind, ExaminedPart.Rows))
        .Concat(derivedOrder.Select(kind => (kind, ExaminedPart.Derived)));

    private async IAsyncEnumerable<(int Bucket, BucketChecksum? Checksum)> BucketsAsync(
        string kind, ExaminedPart part, [EnumeratorCancellation] CancellationToken ct)
    {
        var tables = part == ExaminedPart.Rows ? new TableBuckets(parts.Truth, kind) : null;
        for (var from = BucketReader.Lowest; ;)
        {
            var documents = await parts.Reader.NextAsync(kind, from, ct);
            var rows = tables is null ? null : await tables.NextAsync(Math.Max(0, from), ct);
            if (documents is null && rows is null) yield break;
            var bucket = Math.Min(documents ?? int.MaxValue, rows?.Bucket ?? int.MaxValue);
            yield return (bucket, rows?.Bucket == bucket ? rows : null);
            from = bucket + 1;
        }
    }

    private async Task<List<Difference>> BucketAsync(
        string kind, int bucket, BucketChecksum? checksum, ExaminedPart part, CancellationToken ct)
    {
        var ids = BucketReader.IdsOf(bucket);
        var look = await parts.Reader.LookAsync(kind, bucket, ids, part, ct);
        var isRows = part == ExaminedPart.Rows;
        List<Difference> found = [.. isRows ? await JudgeAsync(look, checksum, ct) : Derived(look.Found)];
        if (!repair || found.Count == 0) return found;
        return isRows ? await MendRowsAsync(look, found, ct) : await MendDerivedAsync(look, ids, found, ct);
    }

    private async Task<IEnumerable<Difference>> JudgeAsync(BucketLook look, BucketChecksum? checksum, CancellationToken ct)
    {
        tally.Compared(look.Found.Documents.Values.Count(document => !document.IsDeleted));
        var judgement = await parts.Judge.JudgeAsync(look, checksum, patience, ct);
        // A projection that stands still is not waited for at each bucket again.
        if (judgement.Unjudged > 0) patience = TimeSpan.Zero;
        tally.Unjudged += judgement.Unjudged;
        return judgement.Differences;
    }

    private static IEnumerable<Difference> Derived(Examination found)
    {
        var derived = found.Documents.Values
            .Where(document => document is { IsDerivedWrong: true, WrongColumns.Count: 0 })
            .Select(document => new Difference(Difference.Derived, document.Id, []));
        var beside = found.WrongBeside.GroupBy(wrong => wrong.Id, wrong => wrong.Table)
            .Select(tables => new Difference(Difference.Beside, tables.Key, [.. tables.Distinct()]));
        return derived.Concat(beside);
    }

    private async Task<List<Difference>> MendRowsAsync(BucketLook look, List<Difference> found, CancellationToken ct)
    {
        int[] ids = [.. found.Select(difference => difference.Id!.Value)];
        await parts.Mender.MendRowsAsync(look.Kind, ids, ct);
        var again = await parts.Reader.LookAsync(look.Kind, look.Bucket, ids, ExaminedPart.Rows, ct);
        var left = (await parts.Judge.JudgeAsync(again, ids, patience, ct)).Differences;
        return found.ConvertAll(difference => left.FirstOrDefault(other => other.Id == difference.Id) is { } still
            ? still with { Repaired = false }
            : difference with { Repaired = true });
    }

    private async Task<List<Difference>> MendDerivedAsync(BucketLook look, int[] ids, List<Difference> found, CancellationToken ct)
    {
        await parts.Mender.MendDerivedAsync(look.Kind, look.Bucket, found, ct);
        var again = await parts.Reader.LookAsync(look.Kind, look.Bucket, ids, ExaminedPart.Derived, ct);
        var left = Derived(again.Found).Select(difference => (difference.What, difference.Id)).ToHashSet();
        return found.ConvertAll(difference => difference with { Repaired = !left.Contains((difference.What, difference.Id)) });
    }
}
