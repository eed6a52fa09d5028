using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Reads that are added to a history, of events that it has.</summary>
internal static class AddedRead
{
    public const string Products = Kinds.Products;

    /// <summary>The id of no aggregate.</summary>
    public const int NoId = 987_654;

    /// <summary>A read that shows the aggregates as they were after these events.</summary>
    public static Attempt Of(string operation, string path, params IEnumerable<LogEvent> events) =>
        new() { Operation = operation, Path = path, Seen = [.. events.Select(SightOf)] };

    public static Attempt OfNumbers(string path, params IEnumerable<LogEvent> events) =>
        Of($"{path[1..].Split('/', '?')[0]}.numbered", path, events);

    public static Attempt OfChanges(bool isFirst, params IEnumerable<LogEvent> events) =>
        Of("products.changes", $"/products/changes?pageSize=9{(isFirst ? "" : "&after=x")}", events);

    /// <summary>The last events of the aggregates that were not deleted, which fulfil a condition.</summary>
    public static IEnumerable<LogEvent> Alive(
        History history, string resource, Func<AggregateState, bool>? condition = null) =>
        history.LastEvents.Where(one => one.Resource == resource && one.Kind != EventKind.Deleted
            && condition?.Invoke(one.State) != false).OrderBy(one => one.Aggregate);

    /// <summary>The last event of a product that has an earlier one.</summary>
    public static LogEvent Newer(History history) => Alive(history, Products).First(one => one.Version > 1);

    /// <summary>The first event of the same product.</summary>
    public static LogEvent Older(History history) =>
        history.EventAt(new(Products, Newer(history).Aggregate, 1))!;

    /// <summary>The last event of a product that was deleted, before that.</summary>
    public static LogEvent BeforeDeletion(History history)
    {
        var deletion = history.Log.First(one => one is { Resource: Products, Kind: EventKind.Deleted });
        return history.EventAt(new(Products, deletion.Aggregate, deletion.Version - 1))!;
    }

    public static Saved TokenOf(LogEvent one) => new(one.Resource, one.Aggregate, one.Version);

    private static Sight SightOf(LogEvent one) => new(one.Aggregate, one.Version, one.State.Digest);
}
