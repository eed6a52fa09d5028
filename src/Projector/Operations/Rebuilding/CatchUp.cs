using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Applies the events after the checkpoints of tables that are not in use: new ones, or those from before a rebuild.
/// </summary>
internal sealed class CatchUp(
    NpgsqlConnection connection,
    EventLogClient log,
    string? logId,
    UnusedTableApplier tables,
    Dictionary<string, long> reached)
{
    // With so few new events in a step, the rest may be applied under the lock.
    private const int Few = 50;

    // Chunks of each resource that may be applied while the Projectors wait for the lock: about half a second. The log
    // may grow by more than one between the last step and the lock.
    private const int MostChunksUnderLock = 10;

    private static readonly TimeSpan hold = TimeSpan.FromSeconds(2);

    /// <summary>The aggregates with parked events.</summary>
    public IReadOnlySet<(string Resource, int Id)> Parked => tables.Parked;

    /// <summary>
    /// Begins at the checkpoints of the tables whose names begin with the prefix, with the log of that identity.
    /// </summary>
    public static async Task<CatchUp> BeginAsync(
        NpgsqlConnection connection,
        EventLogClient log,
        Projections projections,
        string prefix,
        string? logId,
        CancellationToken ct)
    {
        var parked = new HashSet<(string, int)>();
        var statements = new StatementBatch(connection, prefix);
        statements.Add(
            $"SELECT DISTINCT resource, aggregate_id FROM {ReadTables.ParkedEvents}",
            row => parked.Add((row.GetString(0), row.GetInt32(1))));
        var reached = await LogContinuity.PositionsAsync(statements, ct);
        return new(connection, log, logId, new(connection, projections, prefix, parked), reached);
    }

    /// <summary>
    /// Applies the next events until few are left, or a step has reached the tables in use as they were before it: the
    /// log may grow by more events in each step. <paramref name="step"/> gets the highest position after each.
    /// </summary>
    public async Task RunAsync(Action<long> step, CancellationToken ct)
    {
        var isLast = false;
        while (!isLast)
        {
            var inUse = await LogContinuity.PositionsAsync(new StatementBatch(connection), ct);
            isLast = await NextAsync(ct) <= Few || HasReached(inUse);
            step(reached.Values.Max());
        }
    }

    /// <summary>Whether the tables are at a later position than those in use.</summary>
    public bool IsAhead(IReadOnlyDictionary<string, long> inUse) =>
        reached.Any(one => one.Value > inUse.GetValueOrDefault(one.Key));

    /// <summary>
    /// Applies in the caller's transaction the events up to the checkpoints of the tables in use. False when there are
    /// too many for a transaction that others wait for, the log is slow, or the database refuses an event: then
    /// <see cref="RunAsync"/> is next.
    /// </summary>
    /// <exception cref="RebuildException">The log is another one.</exception>
    public async Task<bool> FinishAsync(
        StatementBatch statements, IReadOnlyDictionary<string, long> inUse, CancellationToken ct)
    {
        using var soon = CancellationTokenSource.CreateLinkedTokenSource(ct);
        soon.CancelAfter(hold);
        try
        {
            if (!await TryApplyRestAsync(statements, inUse, soon.Token)) return false;
            if (await log.IdAsync(soon.Token) == logId) return true;
            throw new RebuildException("The event log was replaced by another one meanwhile.");
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return false;
        }
    }

    private bool HasReached(IReadOnlyDictionary<string, long> inUse) =>
        reached.All(one => one.Value >= inUse.GetValueOrDefault(one.Key));

    // Applies the next events of each resource and gives their number.
    private async Task<int> NextAsync(CancellationToken ct)
    {
        var news = await LogChunk.ReadAsync(log, reached, upTo: null, ct);
        if (news.Count == 0) return 0;
        try
        {
            await tables.CommitAsync(news, oneByOne: false, ct);
        }
        catch (PostgresException refused) when (StatementBatch.IsDataFault(refused))
        {
            await tables.CommitAsync(news, oneByOne: true, ct);
        }

        foreach (var (resource, entries) in news) reached[resource] = entries[^1].Position;
        return news.Sum(one => one.Entries.Count);
    }

    private async Task<bool> TryApplyRestAsync(
        StatementBatch statements, IReadOnlyDictionary<string, long> inUse, CancellationToken ct)
    {
        var positions = new Dictionary<string, long>(reached);
        for (var chunk = 0; chunk < MostChunksUnderLock; chunk++)
        {
            var news = await LogChunk.ReadAsync(log, positions, inUse, ct);
            var isLast = news.All(one => one.Entries[^1].Position >= inUse.GetValueOrDefault(one.Resource));
            if (!await TryApplyAsync(statements, news, isLast, ct)) return false;
            if (isLast) return true;
            foreach (var (resource, entries) in news) positions[resource] = entries[^1].Position;
        }

        return false;
    }

    // What a chunk parks, or takes from what was parked, is known to the next one only after a commit.
    private async Task<bool> TryApplyAsync(
        StatementBatch statements,
        List<(string Resource, IReadOnlyList<LogEntry> Entries)> news,
        bool mayPark,
        CancellationToken ct)
    {
        try
        {
            var applied = await tables.ApplyAsync(statements, news, oneByOne: false, ct);
            return mayPark || applied.All(parking =>
                parking.Parked.All(one => Parked.Contains((one.Entry.Resource, one.Entry.AggregateId)))
                && !parking.Erased.Any(Parked.Contains));
        }
        catch (PostgresException refused) when (StatementBatch.IsDataFault(refused))
        {
            return false;
        }
    }
}
