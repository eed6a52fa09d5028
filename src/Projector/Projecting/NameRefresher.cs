using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Projecting;

/// <summary>
/// Writes the documents again that show a pending name, some in each transaction, so that events are applied in
/// between. Their revision shows which are written: after a crash, any Projector continues.
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

    // Documents up to this id are written with this name.
    private (PendingName? Name, int Id) written;

    /// <summary>Writes the next documents; false when no name is pending.</summary>
    public async Task<bool> RefreshNextAsync(CancellationToken ct)
    {
        // This look needs no lock: a document that is written after it shows the name already.
        if (await PendingName.NextAsync(database, ct) is not { } name) return false;
        if (written.Name != name) written = (name, int.MinValue);
        var ids = await projections.Showing(name).NextAsync(database, name, written.Id, Chunk, ct);

        var pending = await InTransactionAsync(
            database, (statements, _) => RefreshAsync(statements, name, ids, ct), ct);
        if (ids.Length > 0) written.Id = ids[^1];
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

    private async Task<PendingTags> RefreshAsync(
        StatementBatch statements, PendingName name, int[] ids, CancellationToken ct)
    {
        var (before, position) = await ProjectionState.LockAsync(statements, ct);
        var invalidations = new Invalidations();
        await projections[name.Kind].RefreshAsync(statements, ids, isPending: true, invalidations, ct);
        if (ids.Length < Chunk) name.End(statements);
        invalidations.RaiseSegments(statements, position + 1);
        var pending = await ProjectionState.CommitAsync(
            statements, tags.Unraised(before).With(invalidations.Tags), ct);
        if (ids.Length < Chunk) logger.NameRefreshed(name.Kind, name.Member, name.Key);
        return pending;
    }
}
