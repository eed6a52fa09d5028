using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>What documents show of other aggregates, computed from the last events of the log.</summary>
internal sealed class DerivedValues
{
    private readonly History history;
    private readonly Dictionary<int, int> productsOf = [];
    private readonly Dictionary<int, (int Count, decimal Sum)> ratingOf = [];
    private readonly Dictionary<int, (int Count, decimal Spent)> ordersOf = [];

    public DerivedValues(History history)
    {
        this.history = history;
        foreach (var one in history.LastEvents.Where(one => one.Kind != EventKind.Deleted))
            Count(one.Resource, one.State);
    }

    /// <summary>How many products each category has that has any.</summary>
    public IReadOnlyDictionary<int, int> ProductsOf => productsOf;

    /// <summary>The derived values of a document as text.</summary>
    public string Of(LogEvent one) => one.Resource switch
    {
        Kinds.Products => Rated(NameOf(Kinds.Categories, one.State.CategoryId), ratingOf, one.Aggregate),
        Kinds.Categories => Print($"{productsOf.GetValueOrDefault(one.Aggregate)}"),
        Kinds.Orders => CustomerOf(one.State.UserId),
        Kinds.Reviews => Print(
            $"{NameOf(Kinds.Products, one.State.ProductId)}, {ShortNameOf(one.State.UserId)}"),
        _ => ordersOf.GetValueOrDefault(one.Aggregate) is var (count, spent)
            ? Print($"{count}, {spent:0.00}")
            : "",
    };

    private void Count(string resource, AggregateState state)
    {
        if (resource == Kinds.Products)
            productsOf[state.CategoryId] = productsOf.GetValueOrDefault(state.CategoryId) + 1;
        if (resource == Kinds.Reviews)
        {
            var (count, sum) = ratingOf.GetValueOrDefault(state.ProductId);
            ratingOf[state.ProductId] = (count + 1, sum + state.Rating);
        }

        if (resource == Kinds.Orders)
        {
            var (count, spent) = ordersOf.GetValueOrDefault(state.UserId);
            ordersOf[state.UserId] = (count + 1, spent + (state.Status == "Cancelled" ? 0 : state.Amount));
        }
    }

    private static string Rated(string category, Dictionary<int, (int Count, decimal Sum)> ratings, int id)
    {
        var (count, sum) = ratings.GetValueOrDefault(id);
        var average = count == 0 ? 0 : Math.Round(sum / count, 2, MidpointRounding.AwayFromZero);
        return Print($"{category}, {average:0.00}, {count}");
    }

    private AggregateState StateOf(string resource, int id) =>
        history.LastOf(resource, id)?.State ?? AggregateState.None;

    private string NameOf(string resource, int id) => StateOf(resource, id).Name;

    private string CustomerOf(int id) => StateOf(Kinds.Users, id) is var user ? $"{user.First} {user.Last}" : "";

    private string ShortNameOf(int id) =>
        StateOf(Kinds.Users, id) is var user ? $"{user.First} {user.Last[..Math.Min(1, user.Last.Length)]}." : "";

    private static string Print(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
