using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class ReferenceCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var shop = new ReferenceState();
        foreach (var one in history.Log)
            foreach (var text in shop.Apply(one))
                yield return $"{one} {text}";
    }
}

/// <summary>Which aggregates exist, and who refers to whom, at a place of the log.</summary>
internal sealed class ReferenceState
{
    private readonly Dictionary<(string Resource, int Id), AggregateState> alive = [];
    private readonly Dictionary<(string Resource, int Id), int> references = [];
    private readonly Dictionary<string, int> owners = [];

    /// <summary>Applies an event and returns which rules it breaks.</summary>
    public List<string> Apply(LogEvent one)
    {
        var problems = new List<string>();
        if (alive.TryGetValue((one.Resource, one.Aggregate), out var before)) Release(one, before);
        if (one.Kind == EventKind.Deleted)
        {
            if (references.GetValueOrDefault((one.Resource, one.Aggregate)) > 0) problems.Add("is still referred to");
            alive.Remove((one.Resource, one.Aggregate));
            return problems;
        }

        // What an order is of may become inactive later.
        var isPlaced = one.Resource == Kinds.Orders && before is null;
        foreach (var other in Others(one.Resource, one.State))
        {
            if (!alive.TryGetValue(other, out var referred))
                problems.Add($"refers to {other.Resource}/{other.Id}, which does not exist");
            else if (isPlaced && !referred.IsActive)
                problems.Add($"is of {other.Resource}/{other.Id}, which is not active");
            references[other] = references.GetValueOrDefault(other) + 1;
        }

        if (UniqueOf(one.Resource, one.State) is { } unique && !owners.TryAdd(unique, one.Aggregate))
            problems.Add($"takes {unique}, which {one.Resource}/{owners[unique]} has");
        alive[(one.Resource, one.Aggregate)] = one.State;
        return problems;
    }

    private void Release(LogEvent one, AggregateState before)
    {
        foreach (var other in Others(one.Resource, before)) references[other]--;
        if (UniqueOf(one.Resource, before) is { } unique && owners.GetValueOrDefault(unique) == one.Aggregate)
            owners.Remove(unique);
    }

    private static IEnumerable<(string Resource, int Id)> Others(string resource, AggregateState state) =>
        resource switch
        {
            Kinds.Products => [(Kinds.Categories, state.CategoryId)],
            Kinds.Orders =>
                [(Kinds.Users, state.UserId), .. state.Lines.Select(line => (Kinds.Products, line.ProductId))],
            Kinds.Reviews => [(Kinds.Products, state.ProductId), (Kinds.Users, state.UserId)],
            _ => [],
        };

    private static string? UniqueOf(string resource, AggregateState state) => resource switch
    {
        Kinds.Products when state.Slug.Length > 0 => $"slug {state.Slug}",
        Kinds.Users => $"e-mail address {state.Name.ToUpperInvariant()}",
        Kinds.Reviews => $"product {state.ProductId} of user {state.UserId}",
        _ => null,
    };
}
