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
    // Documents of one transaction.
    private const int Fewest = 50;
    private const int Most = 500;

    // Events wait for one of these transactions. Documents that are far apart on disk take much longer than others.
    private static readonly TimeSpan longest = TimeSpan.FromMilliseconds(40);

    private static readonly TimeSpan interval = TimeSpan.FromSeconds(1);

    // Documents up to this id have this name.
    private (PendingName? Name, int Id) written;

    // How many documents can be written within the longest time, as the last transaction has shown.
    private int chunk = 200;

    /// <summary>Writes the next documents; false when no name is pending.</summary>
    public async Task<bool> RefreshNextAsync(CancellationToken ct)
    {
        if (await PendingName.NextAsync(database, ct) is not { } name) return false;

        // Without the lock: after a start, very many documents may have the name already.
        if (written.Name != name) written = (name, await projections.Showing(name).FirstAsync(database, name, ct) - 1);
        var pending = await InTransactionAsync(database, (statements, _) => RefreshAsync(statements, name, ct), ct);
        await tags.RaiseAsync(pending, ct);
        return true;
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(interval, clock);
        var isFailing = false;
        do
        {
            try
            {
                while (await RefreshNextAsync(stoppingToken))
                {
                }

                isFailing = false;
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                // An unavailable server is logged once, and not every second.
                if (!isFailing) logger.NamesNotRefreshed(exception.Message);
                isFailing = true;
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }

    private async Task<PendingTags> RefreshAsync(StatementBatch statements, PendingName name, CancellationToken ct)
    {
        var (before, position) = await ProjectionState.LockAsync(statements, ct);
        var start = clock.GetTimestamp();
        var (invalidations, ids, last) = (new Invalidations(), new List<int>(), (int?)null);
        var isPending = await name.IsPendingAsync(statements, ct);
        if (isPending)
        {
            (ids, last) = await projections.Showing(name).NextAsync(statements, name, written.Id, chunk, ct);
            await WriteAsync(statements, name.Kind, [.. ids], invalidations, ct);
            if (last is null) name.End(statements);
        }

        var pending = await ProjectionState.CommitAsync(
            statements, invalidations, position + 1, tags.Unraised(before), ct);
        if (isPending && last is null) logger.NameRefreshed(name.Kind, name.Member, name.Key);
        written.Id = last ?? written.Id;
        if (ids.Count == 0) return pending;
        chunk = (int)Math.Clamp(ids.Count * (longest / clock.GetElapsedTime(start)), Fewest, Most);
        return pending;
    }

    // A document that the database refuses must not keep the others from getting the name.
    private async Task WriteAsync(
        StatementBatch statements, string kind, int[] ids, Invalidations invalidations, CancellationToken ct)
    {
        if (await TryAsync(ids) is null) return;
        foreach (var id in ids)
        {
            if (await TryAsync([id]) is { } reason) logger.NameRefused(kind, id, reason);
        }

        Task<string?> TryAsync(int[] some) => statements.TryAsync(
            () =>
            {
                projections[kind].WriteNames(statements, some, invalidations);
                return Task.CompletedTask;
            },
            ct);
    }
}
