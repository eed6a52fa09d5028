using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Applies events to tables that are not in use, as batches are applied, and stores their checkpoints there.
/// </summary>
internal sealed class UnusedTableApplier(
    NpgsqlConnection connection,
    Projections projections,
    string prefix,
    HashSet<(string Resource, int Id)> parked)
{
    /// <summary>The aggregates with parked events.</summary>
    public IReadOnlySet<(string Resource, int Id)> Parked => parked;

    /// <summary>In a transaction of its own.</summary>
    public async Task CommitAsync(
        List<(string Resource, IReadOnlyList<LogEntry> Entries)> news, bool oneByOne, CancellationToken ct)
    {
        await using var transaction = await connection.BeginTransactionAsync(ct);
        var statements = new StatementBatch(connection, prefix);
        var applied = await ApplyAsync(statements, news, oneByOne, ct);
        await transaction.CommitAsync(ct);
        foreach (var parking in applied)
        {
            parked.ExceptWith(parking.Erased);
            parked.UnionWith(parking.Parked.Select(one => (one.Entry.Resource, one.Entry.AggregateId)));
        }
    }

    /// <summary>In the transaction of the statements.</summary>
    public async Task<List<EventParking>> ApplyAsync(
        StatementBatch statements,
        List<(string Resource, IReadOnlyList<LogEntry> Entries)> news,
        bool oneByOne,
        CancellationToken ct)
    {
        var (invalidations, applied) = (new Invalidations(hasTags: false), new List<EventParking>());
        var writer = new ProjectionWriter(statements, projections);
        foreach (var (resource, entries) in news)
        {
            var events = entries.Select(entry => DecodedEvent.Decode(entry, projections[resource])).ToList();
            HashSet<int> before = [.. parked.Where(one => one.Resource == resource).Select(one => one.Id)];
            applied.Add(await EventApplier.ApplyAsync(writer, resource, events, before, invalidations, oneByOne, ct));
            if (prefix == RebuiltTables.NextPrefix) ExpectedTotals.Add(statements, resource, events);
        }

        if (news.Count > 0) invalidations.RaiseSegments(statements, news.Max(one => one.Entries[^1].Position));
        var latest = news.ToDictionary(one => one.Resource, one => one.Entries[^1]);
        ProjectionState.SaveCheckpoints(statements, latest, projections.Currency);
        await statements.RunAsync(ct);
        return applied;
    }
}
