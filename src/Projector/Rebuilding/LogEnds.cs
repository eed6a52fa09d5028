using ApexShop.Events;
using ApexShop.Projector.Batches;
using ApexShop.Projector.ReadModels;

namespace ApexShop.Projector.Rebuilding;

/// <summary>The last event of every aggregate, and the last of each resource, as far as the log has been read.</summary>
internal sealed class LogEnds(Projections projections)
{
    private readonly Dictionary<string, Dictionary<int, Reading>> last =
        Resources.Resource.Names.ToDictionary(resource => resource, _ => new Dictionary<int, Reading>());

    public Dictionary<string, LogEntry> Resource { get; } = [];

    public long Position { get; private set; }

    public IReadOnlyDictionary<int, Reading> Of(string resource) => last[resource];

    public void Add(LogEntry entry)
    {
        Position = entry.Position;
        if (!last.TryGetValue(entry.Resource, out var aggregates)) return;
        var reading = Reading.Of(entry, projections[entry.Resource]);
        // The data lies in the page of the log that it came with, and would keep all of it.
        var alone = entry with { Data = reading.Change is null ? entry.Data.ToArray() : default };
        aggregates[entry.AggregateId] = new(alone, reading.Change is { } change ? change with { Entry = alone } : null, reading.Fault);
        Resource[entry.Resource] = alone;
    }

    /// <summary>Changes by resource, in the order of ids, of all aggregates but these.</summary>
    public Dictionary<string, List<Change>> Changes(IReadOnlySet<(string Resource, int Id)> without) => last.ToDictionary(
        one => one.Key,
        one => one.Value.Values.Select(reading => reading.Change).OfType<Change>()
            .Where(change => !without.Contains((one.Key, change.State.Id))).OrderBy(change => change.State.Id).ToList());
}
