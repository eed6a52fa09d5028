using ApexShop.Events;
using ApexShop.Projector.Batches;
using ApexShop.Projector.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Rebuilding;

/// <summary>Brings the new tables from where the log was read to where it is, as batches bring the others.</summary>
internal sealed class CatchUp(
    NpgsqlConnection connection,
    EventLog log,
    Projections projections,
    EventApplication application,
    Agreement agreement,
    Dictionary<string, LogEntry> reached,
    HashSet<(string Resource, int Id)> parked)
{
    // Events of a resource that may be applied while everybody else waits.
    private const int Short = 200;

    public long Position => reached.Count == 0 ? 0 : reached.Values.Max(entry => entry.Position);

    /// <summary>Applies the next events of each resource; gives how many they were.</summary>
    public async Task<int> NextAsync(CancellationToken ct)
    {
        var news = await ReadAsync(EventLog.Chunk, ct);
        if (news.Count == 0) return 0;
        try
        {
            await CommitAsync(news, oneByOne: false, ct);
        }
        catch (PostgresException refused) when (Round.IsDataFault(refused))
        {
            await CommitAsync(news, oneByOne: true, ct);
        }

        return news.Sum(one => one.Entries.Count);
    }

    /// <summary>Whether the new tables have what those in use do not have yet.</summary>
    public bool IsBeyond(IReadOnlyDictionary<string, long> inUse) =>
        reached.Any(one => one.Value.Position > inUse.GetValueOrDefault(one.Key));

    /// <summary>
    /// Applies within the caller's transaction what the tables in use have besides, so that both are at the same position.
    /// False when it is more than may hold up anybody, or refused: then it is a matter of another round.
    /// </summary>
    public async Task<bool> FinishAsync(Round round, IReadOnlyDictionary<string, long> inUse, CancellationToken ct)
    {
        var read = await ReadAsync(Short, ct);
        if (read.Any(one => one.Entries.Count == Short)) return false;
        var news = read.Select(one => (one.Resource, UpTo(one.Entries, inUse.GetValueOrDefault(one.Resource))))
            .Where(one => one.Item2.Count > 0).ToList();
        try
        {
            await ApplyAsync(round, news, oneByOne: false, ct);
        }
        catch (PostgresException refused) when (Round.IsDataFault(refused))
        {
            return false;
        }

        var ends = new Dictionary<string, LogEntry>(reached);
        foreach (var (resource, entries) in news) ends[resource] = entries[^1];
        ProjectionState.SaveCheckpoints(round, ends);
        await round.RunAsync(ct);
        return true;
    }

    private async Task<List<(string Resource, IReadOnlyList<LogEntry> Entries)>> ReadAsync(int most, CancellationToken ct)
    {
        var news = new List<(string, IReadOnlyList<LogEntry>)>();
        foreach (var resource in Resource.Names)
        {
            var after = reached.TryGetValue(resource, out var last) ? last.Position : 0;
            var entries = await log.ReadAsync(resource, after, most, ct);
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
        var applied = await ApplyAsync(new Round(connection, RebuiltTables.Next), news, oneByOne, ct);
        await transaction.CommitAsync(ct);
        foreach (var (resource, entries) in news) reached[resource] = entries[^1];
        foreach (var (readings, parking) in applied)
        {
            readings.ForEach(agreement.Add);
            parked.UnionWith(parking.Parked.Select(one => (one.Entry.Resource, one.Entry.AggregateId)));
        }
    }

    private async Task<List<(List<Reading> Readings, Batches.Parking Parking)>> ApplyAsync(
        Round round, List<(string Resource, IReadOnlyList<LogEntry> Entries)> news, bool oneByOne, CancellationToken ct)
    {
        var (touched, applied) = (new Touched(), new List<(List<Reading>, Batches.Parking)>());
        foreach (var (resource, entries) in news)
        {
            var readings = entries.Select(entry => Reading.Of(entry, projections[resource])).ToList();
            HashSet<int> before = [.. parked.Where(one => one.Resource == resource).Select(one => one.Id)];
            applied.Add((readings, await application.ApplyAsync(round, resource, readings, before, touched, oneByOne, ct)));
        }

        if (news.Count > 0) touched.RaiseSegments(round, news.Max(one => one.Entries[^1].Position));
        await round.RunAsync(ct);
        return applied;
    }
}
