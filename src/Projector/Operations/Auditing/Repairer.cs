using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Projecting;
using Npgsql;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// Repairs what an audit found: documents from the last events of the log, and derived values from other documents.
/// Short transactions let events be applied in between.
/// </summary>
internal sealed class Repairer(
    NpgsqlDataSource database, Projections projections, AggregateHealer healer, TagRaiser tags)
{
    public async Task RepairRowsAsync(string kind, IEnumerable<int> ids, CancellationToken ct)
    {
        foreach (var some in AggregateHealer.PartsOf(kind, ids)) await healer.HealAsync(kind, some, ct);
    }

    public async Task RepairDerivedAsync(
        string kind, int bucket, IReadOnlyList<Difference> differences, CancellationToken ct)
    {
        var pending = await StatementBatch.InTransactionAsync(
            database,
            async (statements, _) =>
            {
                var (before, position) = await ProjectionState.LockAsync(statements, ct);
                var invalidations = new Invalidations();
                await RepairAsync(statements, kind, bucket, differences, invalidations, ct);
                return await ProjectionState.CommitAsync(
                    statements, invalidations, position + 1, tags.Unraised(before), ct);
            },
            ct);
        await tags.RaiseAsync(pending, ct);
    }

    private async Task RepairAsync(
        StatementBatch statements,
        string kind,
        int bucket,
        IReadOnlyList<Difference> differences,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var sideTables = differences.Where(one => one.What == Difference.SideTable).ToList();
        // Any list over the segment may have shown the wrong count.
        int[] ids = sideTables.Exists(one => one.Id is null)
            ? BucketReader.IdsOf(bucket)
            : [.. sideTables.Select(one => one.Id!.Value).Distinct()];
        if (ids.Length > 0) await projections[kind].RepairSideTablesAsync(statements, ids, invalidations, ct);

        // Documents show totals from the side tables.
        var derived = differences.Where(one => one.What == Difference.Derived).Select(one => one.Id!.Value);
        await projections[kind].RefreshAsync(statements, [.. derived.Union(ids).Order()], invalidations, ct);
    }
}
