using ApexShop.Projector.Documents;

namespace ApexShop.Projector.Projecting;

/// <summary>Applies events of one resource within a transaction; what cannot be applied is parked with what follows it.</summary>
internal sealed class EventApplication(Projections projections)
{
    /// <summary>
    /// Applies the events, but for those of aggregates that are parked already; what is parked is saved with the round.
    /// One by one each is tried by itself, which shows the one that the database refuses.
    /// </summary>
    public async Task<EventParking> ApplyAsync(
        Round round,
        string resource,
        IReadOnlyList<Reading> events,
        IReadOnlySet<int> parked,
        Touched touched,
        bool oneByOne,
        CancellationToken ct)
    {
        var parking = new EventParking(parked);
        var changes = parking.Sort(events);
        if (oneByOne) await ApplyOneByOneAsync(round, resource, changes, parking, touched, ct);
        else if (changes.Count > 0) await projections.ApplyAsync(round, resource, Latest(changes), touched, ct);
        parking.Save(round);
        return parking;
    }

    private async Task ApplyOneByOneAsync(
        Round round, string resource, List<Change> changes, EventParking parking, Touched touched, CancellationToken ct)
    {
        foreach (var change in changes)
        {
            if (parking.Follows(change.Entry)) continue;
            var refusal = await round.TryAsync(() => projections.ApplyAsync(round, resource, [change], touched, ct), ct);
            if (refusal is not null) parking.Park(change.Entry, refusal);
        }
    }

    private static List<Change> Latest(List<Change> changes)
    {
        var latest = new Dictionary<int, Change>(changes.Count);
        foreach (var change in changes) latest[change.State.Id] = change;
        return [.. latest.Values.OrderBy(change => change.Entry.Position)];
    }
}
