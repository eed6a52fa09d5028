using ApexShop.Projector.Documents;

namespace ApexShop.Projector.Projecting;

/// <summary>Applies events of one resource in a transaction; an event that cannot be applied is parked.</summary>
internal static class EventApplier
{
    /// <summary>
    /// Applies the events, but for those of the <paramref name="parked"/> aggregates. Applied one by one, each event is
    /// tried by itself, which shows the one that the database refuses.
    /// </summary>
    public static async Task<EventParking> ApplyAsync(
        IProjectionWriter writer,
        string resource,
        IReadOnlyList<DecodedEvent> events,
        IReadOnlySet<int> parked,
        Invalidations invalidations,
        bool oneByOne,
        CancellationToken ct)
    {
        var parking = new EventParking(parked);
        var changes = parking.TakeApplicable(events);
        if (oneByOne) await ApplyOneByOneAsync(writer, resource, changes, parking, invalidations, ct);
        else if (changes.Count > 0)
            await writer.ApplyAsync(resource, Latest(changes), invalidations, ct);
        writer.Park(parking);
        return parking;
    }

    private static async Task ApplyOneByOneAsync(
        IProjectionWriter writer,
        string resource,
        List<StateChange> changes,
        EventParking parking,
        Invalidations invalidations,
        CancellationToken ct)
    {
        foreach (var change in changes)
        {
            if (parking.ParkIfFollowing(change.Entry)) continue;
            var refusal = await writer.TryAsync(
                () => writer.ApplyAsync(resource, [change], invalidations, ct), ct);
            if (refusal is not null) parking.Park(change.Entry, refusal);
        }
    }

    private static List<StateChange> Latest(List<StateChange> changes)
    {
        var latest = new Dictionary<int, StateChange>(changes.Count);
        foreach (var change in changes) latest[change.State.Id] = change;
        return [.. latest.Values.OrderBy(change => change.Entry.Position)];
    }
}
