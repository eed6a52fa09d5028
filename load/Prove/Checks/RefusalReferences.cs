using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>When values that are unique had an owner, and when aggregates were used by others, at most.</summary>
internal sealed class RefusalReferences
{
    private readonly TimeSpans<string> owned = new();
    private readonly TimeSpans<(int Product, int User)> reviewed = new();

    public RefusalReferences(History history)
    {
        foreach (var time in history.Times.All)
        {
            if (time.State is { } state) Add(time.Event!.Resource, state, time.Earliest, time.Last);
        }

        // The e-mail address of a person who was erased is not in the log any more.
        foreach (var unit in history.Units.Where(unit => IsForgotten(history, unit)))
            foreach (var email in ValuesOf(unit.First.Sent!, "email")) owned.Add(email, long.MinValue, long.MaxValue);
    }

    /// <summary>The orders of products and users, the products of categories, by what they are of.</summary>
    public TimeSpans<(string Resource, int Id)> Uses { get; } = new();

    public TimeSpans<(string Resource, int Id)> OpenOrders { get; } = new();

    /// <summary>Whether an aggregate may have the value that an item asks for.</summary>
    public bool MayHave(string member, JsonElement item, StateQuery query) =>
        item.TryGetProperty(member, out var value) && value.ValueKind == JsonValueKind.String
        && owned.AnyIn(KeyOf(member, value.GetString()!), query.From, query.Until);

    /// <summary>Whether the user whom an item names may have reviewed its product.</summary>
    public bool MayExist(JsonElement item, StateQuery query) => reviewed.AnyIn(
        (item.GetProperty("productId").GetInt32(), item.GetProperty("userId").GetInt32()), query.From, query.Until);

    private void Add(string resource, AggregateState state, long from, long until)
    {
        if (resource == Kinds.Users) owned.Add(KeyOf("email", state.Name), from, until);
        if (resource == Kinds.Reviews) reviewed.Add((state.ProductId, state.UserId), from, until);
        if (resource == Kinds.Products)
        {
            if (state.Slug.Length > 0) owned.Add(KeyOf("slug", state.Slug), from, until);
            Uses.Add((Kinds.Categories, state.CategoryId), from, until);
        }

        if (resource != Kinds.Orders) return;
        Uses.Add((Kinds.Users, state.UserId), from, until);
        foreach (var line in state.Lines) Uses.Add((Kinds.Products, line.ProductId), from, until);
        if (state.Status is not ("Delivered" or "Cancelled"))
            OpenOrders.Add((Kinds.Users, state.UserId), from, until);
    }

    private static bool IsForgotten(History history, CommandUnit unit) =>
        History.OperationOf(unit.First) is { Resource: Kinds.Users, Effect: not Effect.Login }
        && unit.First.Sent is not null && unit.OwnEvents(history).Exists(history.IsRewritten);

    private static IEnumerable<string> ValuesOf(string sent, string member)
    {
        var body = JsonElement.Parse(sent);
        foreach (var item in body.ValueKind == JsonValueKind.Array ? [.. body.EnumerateArray()] : new[] { body })
        {
            if (item.TryGetProperty(member, out var value) && value.ValueKind == JsonValueKind.String)
                yield return KeyOf(member, value.GetString()!);
        }
    }

    private static string KeyOf(string member, string value) => $"{member} {value.ToUpperInvariant()}";
}
