using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Applies the events after those that filled the new tables, as batches are applied.</summary>
internal sealed class CatchUp(
    NpgsqlConnection connection,
    EventLogClient log,
    Projections projections,
    EventApplier applier,
    Dictionary<string, long> reached,
    HashSet<(string Resource, int Id)> parked)
{
    // Events of a resource that may be applied while the Projectors wait for the lock.
    private const int MostUnderLock = 200;

    public long Position => reached.Values.Max();

    /// <summary>Applies the next events of each resource and gives their number.</summary>
    public async Task<int> NextAsync(CancellationToken ct)
    {
        var news = await ReadAsync(EventLogClient.Chunk, ct);
        if (news.Count == 0) return 0;
        try
        {
            await CommitAsync(news, oneByOne: false, ct);
        }
        catch (PostgresException refused) when (StatementBatch.IsDataFault(refused))
        {
            await CommitAsync(news, oneByOne: true, ct);
        }

        return news.Sum(one => one.Entries.Count);
    }

    /// <summary>Whether the new tables are at a later position than those in use.</summary>
    public bool IsAhead(IReadOnlyDictionary<string, long> inUse) =>
        reached.Any(one => one.Value > inUse.GetValueOrDefault(one.Key));

    /// <summary>
    /// Applies in the caller's transaction the events up to the position of the tables in use. False when there are too
    /// many for a transaction that others wait for, or the database refuses one: then <see cref="NextAsync"/> is next.
    /// </summary>
    public async Task<bool> FinishAsync(
        StatementBatch statements, IReadOnlyDictionary<string, long> inUse, CancellationToken ct)
    {
        var read = await ReadAsync(MostUnderLock, ct);
        if (read.Any(one => one.Entries.Count == MostUnderLock)) return false;
        var news = read.Select(one => (one.Resource, UpTo(one.Entries, inUse.GetValueOrDefault(one.Resource))))
            .Where(one => one.Item2.Count > 0).ToList();
        try
        {
            await ApplyAsync(statements, news, oneByOne: false, ct);
        }
        catch (PostgresException refused) when (StatementBatch.IsDataFault(refused))
        {
            return false;
        }

        return true;
    }

    private async Task<List<(string Resource, IReadOnlyList<LogEntry> Entries)>> ReadAsync(
        int most, CancellationToken ct)
    {
        var news = new List<(string, IReadOnlyList<LogEntry>)>();
        foreach (var resource in Resource.Names)
        {
            var entries = await log.ReadAsync(resource, reached[resource], most, ct);
            if (entries.Count > 0) news.Add((resource, entries));
        }

        return news;
    }

    private static IReadOnlyList<LogEntry> UpTo(IReadOnlyList<LogEntry> entries, long position) =>
        [.. entries.TakeWhile(entry => entry.Position <= position)];

    private async Task CommitAsync(
        List<(string Resource, IReadOnlyList<LogEntry> Entries)> news, bool oneByOne, CancellationToken ct)
    {
        await using var transaction = await connection.BeginTransactionAsync(ct);
        var statements = new StatementBatch(connection, RebuiltTables.NextPrefix);
        var applied = await ApplyAsync(statements, news, oneByOne, ct);
        await transaction.CommitAsync(ct);
        foreach (var (resource, entries) in news) reached[resource] = entries[^1].Position;
        foreach (var parking in applied)
        {
            parked.ExceptWith(parking.Erased);
            parked.UnionWith(parking.Parked.Select(one => (one.Entry.Resource, one.Entry.AggregateId)));
        }
    }

    private async Task<List<EventParking>> ApplyAsync(
        StatementBatch statements,
        List<(string Resource, IReadOnlyList<LogEntry> Entries)> news,
        bool oneByOne,
        CancellationToken ct)
    {
        var (invalidations, applied) = (new Invalidations(), new List<EventParking>());
        foreach (var (resource, entries) in news)
        {
            var events = entries.Select(entry => DecodedEvent.Decode(entry, projections[resource])).ToList();
            HashSet<int> before = [.. parked.Where(one => one.Resource == resource).Select(one => one.Id)];
            applied.Add(await applier.ApplyAsync(statements, resource, events, before, invalidations, oneByOne, ct));
            ExpectedTotals.Add(statements, resource, events);
        }

        if (news.Count > 0) invalidations.RaiseSegments(statements, news.Max(one => one.Entries[^1].Position));
        var latest = news.ToDictionary(one => one.Resource, one => one.Entries[^1]);
        ProjectionState.SaveCheckpoints(statements, latest, projections.Currency);
        await statements.RunAsync(ct);
        return applied;
    }
}
