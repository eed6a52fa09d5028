using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.Resources;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>The last event of each aggregate and of each resource, up to where the log was read.</summary>
internal sealed class LatestEvents(Projections projections)
{
    private readonly Dictionary<string, Dictionary<int, DecodedEvent>> last =
        Resource.Names.ToDictionary(resource => resource, _ => new Dictionary<int, DecodedEvent>());

    public Dictionary<string, LogEntry> LastOfResource { get; } = [];

    public long Position { get; private set; }

    public IReadOnlyDictionary<int, DecodedEvent> Of(string resource) => last[resource];

    public void Add(LogEntry entry)
    {
        Position = entry.Position;
        if (!last.TryGetValue(entry.Resource, out var aggregates)) return;
        var decoded = DecodedEvent.Decode(entry, projections[entry.Resource]);
        // The data is a slice of a page of the log, which would stay in memory as a whole.
        var alone = entry with { Data = decoded.Change is null ? entry.Data.ToArray() : default };
        aggregates[entry.AggregateId] = new(
            alone, decoded.Change is { } change ? change with { Entry = alone } : null, decoded.Fault);
        LastOfResource[entry.Resource] = alone;
    }

    /// <summary>The changes of each resource in the order of ids, without these aggregates.</summary>
    public Dictionary<string, List<StateChange>> Changes(IReadOnlySet<(string Resource, int Id)> without) =>
        last.ToDictionary(
        one => one.Key,
        one => one.Value.Values.Select(decoded => decoded.Change).OfType<StateChange>()
            .Where(change => !without.Contains((one.Key, change.State.Id))).OrderBy(
                change => change.State.Id).ToList());
}
