using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Projecting;
using Npgsql;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// Puts right what an audit found: documents from the last events of the log, what is derived from other documents from
/// those, each in short transactions that take turns with the events that come in.
/// </summary>
internal sealed class Mender(NpgsqlDataSource database, Projections projections, AggregateHealer healer, TagRaiser tags)
{
    public async Task MendRowsAsync(string kind, IEnumerable<int> ids, CancellationToken ct)
    {
        foreach (var chunk in ids.Chunk(AggregateHealer.Most)) await healer.HealAsync(kind, chunk, ct);
    }

    public async Task MendDerivedAsync(string kind, int bucket, IReadOnlyList<Difference> differences, CancellationToken ct)
    {
        var pending = await DocumentTransaction.RunAsync(
            database,
            async (round, _) =>
            {
                var (before, position) = await ProjectionState.LockAsync(round, ct);
                var touched = new Touched();
                await MendAsync(round, kind, bucket, differences, position + 1, touched, ct);
                touched.RaiseSegments(round, position + 1);
                return await ProjectionState.CommitAsync(round, tags.Unraised(before).With(touched.Tags), ct);
            },
            ct);
        await tags.RaiseAsync(pending, ct);
    }

    private async Task MendAsync(
        Round round,
        string kind,
        int bucket,
        IReadOnlyList<Difference> differences,
        long revision,
        Touched touched,
        CancellationToken ct)
    {
        int[] derived = [.. differences.Where(one => one.What == Difference.Derived).Select(one => one.Id!.Value)];
        if (derived.Length > 0) await projections[kind].RefreshAsync(round, derived, revision, touched, ct);

        var beside = differences.Where(one => one.What == Difference.Beside).ToList();
        if (beside.Count == 0) return;
        // A count that is wrong may have been shown by any list over the segment.
        var ids = beside.Exists(one => one.Id is null) ? BucketReader.IdsOf(bucket) : [.. beside.Select(one => one.Id!.Value)];
        await projections[kind].MendBesideAsync(round, ids, touched, ct);
    }
}
