using ApexShop.Operations;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using Npgsql;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>
/// Applies the parked events of an aggregate in their order, up to the first that is refused again; the rest stays
/// parked.
/// </summary>
internal sealed class ParkedReplayer(
    NpgsqlDataSource database,
    Projections projections,
    TagRaiser tags,
    ProjectorMetrics metrics,
    ILogger<ParkedReplayer> logger)
{
    /// <summary>The most events of one call, which is one transaction.</summary>
    public const int Most = 500;

    /// <summary>
    /// Gives what was done, or would be done without <paramref name="dryRun"/>; null when no event of the aggregate is
    /// parked. Returns when the cache tags are raised.
    /// </summary>
    public async Task<ParkedReplay?> ReplayAsync(AggregateKey aggregate, bool dryRun, CancellationToken ct)
    {
        var (replay, pending) = await StatementBatch.InTransactionAsync(
            database, (statements, transaction) => RunAsync(statements, transaction, aggregate, dryRun, ct), ct);
        if (replay is null || pending is null) return replay;

        logger.ParkedReplayed(replay.Resource, replay.Id, replay.Applied, replay.Left);
        metrics.Applied(replay.Resource, replay.Applied);
        await tags.RaiseAsync(pending, ct);
        return replay;
    }

    private async Task<(ParkedReplay? Replay, PendingTags? Pending)> RunAsync(
        StatementBatch statements,
        NpgsqlTransaction transaction,
        AggregateKey aggregate,
        bool dryRun,
        CancellationToken ct)
    {
        var (pending, position) = await ProjectionState.LockAsync(statements, ct);
        var replaying = new ReplayTransaction(statements, aggregate, projections);
        if (!await replaying.LoadAsync(Most, ct)) return (null, null);

        await replaying.ApplyAsync(ct);
        var replay = await replaying.ResultAsync(dryRun, ct);
        if (dryRun)
        {
            await transaction.RollbackAsync(ct);
            return (replay, null);
        }

        return (replay, await ProjectionState.CommitAsync(
            statements, replaying.Invalidations, position, tags.Unraised(pending), ct));
    }
}
