using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>What the parameters of a list say about its documents: which ones it keeps, and their order.</summary>
internal sealed class ListQuery
{
    private readonly Dictionary<string, string> parameters;
    private readonly int? product;

    public ListQuery(string path)
    {
        var parts = path.Split('?', 2);
        parameters = parts.Length == 1 || parts[1].Length == 0
            ? []
            : parts[1].Split('&').Select(pair => pair.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[1]);
        // The reviews of a product are a list with a filter too.
        if (parts[0].Split('/') is [_, Kinds.Products, var id, Kinds.Reviews]) product = Whole(id);
    }

    /// <summary>The words of a text as a search compares them.</summary>
    public static IEnumerable<string> WordsOf(string text)
    {
        for (var (start, at) = (0, 0); at <= text.Length; at++)
        {
            if (at < text.Length && char.IsLetterOrDigit(text[at])) continue;
            if (at > start) yield return text[start..at];
            start = at + 1;
        }
    }

    /// <summary>Whether the list has a document with these values; what is no filter keeps every one.</summary>
    public bool Keeps(int id, AggregateState state) =>
        (product is null || state.ProductId == product) && parameters.All(one => Keeps(one.Key, one.Value, id, state));

    /// <summary>Whether a document may follow another one.</summary>
    public bool IsInOrder(int id, AggregateState state, int nextId, AggregateState next)
    {
        var (order, isDescending) = parameters.GetValueOrDefault("sort", "id") switch
        {
            "id" => (0, false),
            "price" => (state.Amount.CompareTo(next.Amount), false),
            "-price" or "-amount" => (state.Amount.CompareTo(next.Amount), true),
            "-rating" => (state.Rating.CompareTo(next.Rating), true),
            "name" => (string.CompareOrdinal(state.Name, next.Name), false),
            // By values that the log does not have.
            _ => (-1, false),
        };
        if (order == 0) order = id.CompareTo(nextId);
        return isDescending ? order > 0 : order < 0;
    }

    private static bool Keeps(string name, string value, int id, AggregateState state) => name switch
    {
        "afterId" => id > Whole(value),
        "categoryId" => state.CategoryId == Whole(value),
        "customerId" or "userId" => state.UserId == Whole(value),
        "productId" => state.ProductId == Whole(value),
        "minPrice" or "minAmount" => state.Amount >= Whole(value),
        "maxPrice" => state.Amount <= Whole(value),
        "minRating" => state.Rating >= Whole(value),
        "inStock" => state.Stock > 0 == (value == "true"),
        "isActive" => state.IsActive == (value == "true"),
        "status" => state.Status == value,
        "q" => WordsOf($"{state.Name} {state.Text}").Contains(value, StringComparer.OrdinalIgnoreCase),
        _ => true,
    };

    private static int Whole(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
