using ApexShop.Operations;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>
/// Writes documents again from the last events of the log, whatever their rows contain, with everything derived from
/// them, and deletes their parked events.
/// </summary>
internal sealed class AggregateHealer(
    NpgsqlDataSource database,
    EventLogClient log,
    Projections projections,
    TagRaiser tags,
    ILogger<AggregateHealer> logger)
{
    /// <summary>The most aggregates of one call, which is one transaction.</summary>
    public const int Most = EventLogClient.MostAggregates;

    /// <summary>
    /// Divides ids for the calls: a category has its own, because all its products are counted in its transaction.
    /// </summary>
    public static IEnumerable<int[]> PartsOf(string resource, IEnumerable<int> ids) =>
        ids.Chunk(resource == Resource.Categories.Name ? 1 : Most);

    /// <summary>
    /// Returns when the cache tags are raised too, whether or not a document was wrong. An aggregate whose event cannot
    /// be read or is refused by the database stays the same; the others are healed.
    /// </summary>
    /// <exception cref="EventLogException">
    /// The log is unavailable, or ends before the documents; nothing was changed.
    /// </exception>
    public async Task<IReadOnlyList<AggregateHeal>> HealAsync(
        string resource, IReadOnlyCollection<int> ids, CancellationToken ct)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ids.Count, Most);
        int[] wanted = [.. ids.Distinct().Order()];
        if (wanted.Length == 0) return [];

        var healing = await AttemptAsync(resource, wanted, ct);
        foreach (var heal in healing.Done)
            logger.AggregateHealed(resource, heal.Id, heal.Outcome, heal.Version, heal.Unparked);
        await tags.RaiseAsync(healing.Pending!, ct);
        return healing.Done;
    }

    private async Task<HealTransaction> AttemptAsync(string resource, int[] ids, CancellationToken ct)
    {
        try
        {
            return await RunAsync(resource, ids, oneByOne: false, ct);
        }
        catch (PostgresException exception) when (StatementBatch.IsDataFault(exception))
        {
            // One of the documents is at fault; written one by one, it is found.
            return await RunAsync(resource, ids, oneByOne: true, ct);
        }
    }

    private Task<HealTransaction> RunAsync(string resource, int[] ids, bool oneByOne, CancellationToken ct) =>
        StatementBatch.InTransactionAsync(
            database,
            async (statements, _) =>
            {
                var (pending, position) = await ProjectionState.LockAsync(statements, ct);
                // Read under the lock, while no batch is applied, and from a log with all that was applied: no document
                // can be newer than these events.
                var last = await log.LastAsync(resource, ids, position, ct);
                var healing = new HealTransaction(statements, resource, projections, position);
                var known = healing.Read(ids, last);
                if (!oneByOne) await healing.RewriteAsync(known, ct);
                else foreach (var one in known) await healing.TryAsync(one, ct);
                await healing.CommitAsync(tags.Unraised(pending), ct);
                return healing;
            },
            ct);
}
