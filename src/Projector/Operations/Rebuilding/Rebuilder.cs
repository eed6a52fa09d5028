using System.Threading.Channels;
using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Runs rebuilds, one at a time over all Projectors of a database.</summary>
internal sealed class Rebuilder(
    DedicatedConnections connections,
    NpgsqlDataSource database,
    RebuildRecord record,
    EventLogClient log,
    Projections projections,
    ExchangeHealer healer,
    IOptions<RebuildingOptions> options,
    TimeProvider clock,
    ILogger<Rebuilder> logger) : BackgroundService
{
    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(250);

    private readonly Channel<RebuildRun> runs = Channel.CreateUnbounded<RebuildRun>();

    /// <summary>Begins a rebuild; null when one is running, or <paramref name="isNeeded"/> returns false.</summary>
    public async Task<RebuildStatus?> BeginAsync(string cause, Func<Task<bool>>? isNeeded, CancellationToken ct)
    {
        var held = await RebuildLock.TryTakeAsync(connections, record, ct);
        if (held is null) return null;
        try
        {
            if (isNeeded is null || await isNeeded())
            {
                var progress = new RebuildProgress(cause, clock);
                await runs.Writer.WriteAsync(new(held, progress, await record.AddAsync(progress.Status(), ct)), ct);
                return progress.Status();
            }
        }
        catch
        {
            await held.DisposeAsync();
            throw;
        }

        await held.DisposeAsync();
        return null;
    }

    /// <summary>
    /// Begins a rebuild that no operator has requested, unless it is not needed any more, another Projector has begun
    /// it, or the last ones failed and their pause is not over.
    /// </summary>
    public Task<RebuildStatus?> BeginAutomaticAsync(string reason, Func<Task<bool>> isNeeded, CancellationToken ct) =>
        BeginAsync($"Automatic: {reason}.", async () => await record.IsAutomaticDueAsync(ct) && await isNeeded(), ct);

    /// <summary>Runs the next rebuild that was begun.</summary>
    public async Task RunNextAsync(CancellationToken ct)
    {
        var run = await runs.Reader.ReadAsync(ct);
        logger.RebuildBegins(run.Progress.Status().Cause);
        // The lock is released only when the outcome is stored: no other rebuild begins before.
        await using (run.Held)
        {
            var rebuilding = RunAsync(run, ct);
            while (!rebuilding.IsCompleted)
            {
                await Task.WhenAny(rebuilding, Task.Delay(interval, clock, CancellationToken.None));
                await TrySaveAsync(run);
            }

            await TrySaveAsync(run);
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (!stoppingToken.IsCancellationRequested) await RunNextAsync(stoppingToken);
    }

    private async Task RunAsync(RebuildRun run, CancellationToken ct)
    {
        // The caller's thread stores the progress meanwhile.
        await Task.Yield();
        try
        {
            var rebuild = new Rebuild(
                run.Held.Connection, database, log, projections, run.Progress, options.Value, clock, logger);
            await rebuild.RunAsync(ct);
            run.Progress.Parked = await healer.TryRunAsync(ct) ?? run.Progress.Parked;
            await TryDropStagedAsync(run.Held.Connection);
            run.Progress.End(RebuildState.Done, null);
            logger.RebuildDone(run.Progress.Status().Seconds, run.Progress.Position);
        }
        catch (Exception exception)
        {
            var reason = ct.IsCancellationRequested ? "The Projector that ran it was stopped." : exception.Message;
            // After other failures it may fail again in the same way.
            var isKept = ct.IsCancellationRequested
                || exception is EventLogException or RebuildException { IsTransient: true };
            if (!isKept) await TryDropStagedAsync(run.Held.Connection);
            if (isKept) reason += " The next rebuild continues it if it can.";
            run.Progress.End(RebuildState.Failed, reason);
            logger.RebuildFailed(reason);
        }
    }

    // Not in the transaction of the exchange, whose locks others wait for.
    private async Task TryDropStagedAsync(NpgsqlConnection connection)
    {
        try
        {
            await TableDdl.DropAsync(connection, RebuiltTables.Next, CancellationToken.None);
        }
        catch (Exception exception)
        {
            logger.StagedTablesKept(exception.Message);
        }
    }

    private async Task TrySaveAsync(RebuildRun run)
    {
        try
        {
            await record.SaveAsync(run.Number, run.Progress.Status(), CancellationToken.None);
        }
        // Whatever it is: the rebuild continues, and needs its lock until it ends.
        catch (Exception exception)
        {
            logger.ProgressNotStored(exception.Message);
        }
    }

    private sealed record RebuildRun(SessionLock Held, RebuildProgress Progress, long Number);
}
