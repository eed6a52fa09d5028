using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.ReadModels;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Writes the documents again that show a pending name, some in each transaction, so that events are applied in
/// between. Which are written is stored with them: after a crash, any Projector continues.
/// </summary>
internal sealed class NameRefresher(
    NpgsqlDataSource database,
    Projections projections,
    TagRaiser tags,
    TimeProvider clock,
    ILogger<NameRefresher> logger)
    : BackgroundService
{
    // Events wait for one of these transactions.
    private const int Chunk = 200;

    private static readonly TimeSpan interval = TimeSpan.FromSeconds(1);

    /// <summary>Writes the next documents; false when no name is pending.</summary>
    public async Task<bool> RefreshNextAsync(CancellationToken ct)
    {
        // Without the lock that events are applied under.
        await using var any = database.CreateCommand($"SELECT EXISTS (SELECT FROM {ReadTables.PendingNames})");
        if (!(bool)(await any.ExecuteScalarAsync(ct))!) return false;

        var pending = await InTransactionAsync(database, (statements, _) => RefreshAsync(statements, ct), ct);
        await tags.RaiseAsync(pending, ct);
        return true;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(interval, clock);
        do
        {
            try
            {
                while (await RefreshNextAsync(stoppingToken))
                {
                }
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.NamesNotRefreshed(exception.Message);
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }

    private async Task<PendingTags> RefreshAsync(StatementBatch statements, CancellationToken ct)
    {
        var (before, position) = await ProjectionState.LockAsync(statements, ct);
        var invalidations = new Invalidations();
        var name = await PendingName.NextAsync(statements, ct);
        var isLast = name is not null && await projections.RefreshAsync(statements, name, Chunk, invalidations, ct);
        invalidations.RaiseSegments(statements, position + 1);
        var pending = await ProjectionState.CommitAsync(
            statements, tags.Unraised(before).With(invalidations.Tags), ct);
        if (isLast) logger.NameRefreshed(name!.Kind, name.Member, name.Key);
        return pending;
    }
}
