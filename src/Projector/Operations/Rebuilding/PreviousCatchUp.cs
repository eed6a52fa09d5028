using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Applies the events since the rebuild to the tables before it, so that a rollback hides no change that queries have
/// shown. It ends without them when the log is unavailable or another one, or has more than can be applied in time: a
/// rollback does not wait for that, and the events are applied after it.
/// </summary>
internal sealed class PreviousCatchUp(
    NpgsqlConnection connection,
    EventLogClient log,
    Projections projections,
    ILogger logger) : IDisposable
{
    private const string Prefix = RebuiltTables.Previous + ".";

    private static readonly TimeSpan limit = TimeSpan.FromSeconds(8);

    private readonly CancellationTokenSource late = new(limit);
    private CatchUp? catchUp;
    private bool isOver;

    /// <summary>Whether the tables are from another log, as far as they could be compared.</summary>
    public bool IsOfOtherLog { get; private set; }

    /// <summary>Applies the events until few are left, or the tables in use are reached.</summary>
    public Task RunAsync(CancellationToken ct) => TryAsync(
        async soon =>
        {
            catchUp ??= await BeginAsync(soon);
            await catchUp.RunAsync(_ => { }, soon);
            return true;
        },
        ct);

    /// <summary>
    /// Applies the last events in the transaction of the exchange. After false, <see cref="RunAsync"/> is next, in
    /// another transaction.
    /// </summary>
    public Task<bool> FinishAsync(CancellationToken ct) => TryAsync(
        async soon =>
        {
            var inUse = await LogContinuity.PositionsAsync(new StatementBatch(connection), soon);
            return await catchUp!.FinishAsync(new StatementBatch(connection, Prefix), inUse, soon);
        },
        ct);

    public void Dispose() => late.Dispose();

    private async Task<CatchUp> BeginAsync(CancellationToken ct)
    {
        var checkpoints = await LogContinuity.CheckpointsAsync(new StatementBatch(connection, Prefix), ct);
        if (await LogContinuity.FindBreakAsync(log, checkpoints, ct) is not { } reason)
            return await CatchUp.BeginAsync(connection, log, projections, Prefix, await log.IdAsync(ct), ct);
        IsOfOtherLog = true;
        throw new RebuildException(reason);
    }

    // Once it is over, there is nothing to wait for.
    private async Task<bool> TryAsync(Func<CancellationToken, Task<bool>> work, CancellationToken ct)
    {
        if (isOver) return true;
        using var soon = CancellationTokenSource.CreateLinkedTokenSource(ct, late.Token);
        try
        {
            return await work(soon.Token);
        }
        // Whatever it is: wrong documents in use are worse than earlier ones, and a connection that is lost ends the
        // exchange too.
        catch (Exception exception) when (!ct.IsCancellationRequested)
        {
            isOver = true;
            logger.RolledBackWithoutEvents(late.IsCancellationRequested ? "it takes too long" : exception.Message);
            return false;
        }
    }
}
