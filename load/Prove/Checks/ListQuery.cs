using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>What the parameters of a list say about its documents: which ones it keeps, and their order.</summary>
internal sealed class ListQuery : IComparer<SourceDocument>
{
    private static readonly string[] dates = ["fromDate", "toDate", "createdAfter"];

    private readonly Dictionary<string, string> parameters;
    private readonly int? product;
    private readonly string sort;

    public ListQuery(string path)
    {
        var parts = path.Split('?', 2);
        parameters = parts.Length == 1 || parts[1].Length == 0
            ? []
            : parts[1].Split('&').Select(pair => pair.Split('=', 2))
                .ToDictionary(pair => pair[0], pair => Uri.UnescapeDataString(pair[1]));
        // The reviews of a product are a list with a filter too.
        if (parts[0].Split('/') is [_, Kinds.Products, var id, Kinds.Reviews]) product = Whole(id);
        sort = parameters.GetValueOrDefault("sort") ?? DefaultSort();
    }

    /// <summary>The number of documents of a page; every document without such a parameter.</summary>
    public int PageSize =>
        (parameters.GetValueOrDefault("pageSize") ?? parameters.GetValueOrDefault("limit")) is { } size
            ? Whole(size)
            : int.MaxValue;

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

    /// <summary>Whether a document may follow another one; the log does not have the ratings of products.</summary>
    public bool IsInOrder(LogEvent one, LogEvent next) =>
        sort == "rating" || Compare(ValuesOf(one), ValuesOf(next)) < 0;

    /// <summary>Documents with equal values are in the order of ids, in the same direction.</summary>
    public int Compare(SourceDocument? one, SourceDocument? other)
    {
        var (a, b) = (one!.State, other!.State);
        var (order, isDescending) = sort switch
        {
            "price" => (a.Amount.CompareTo(b.Amount), false),
            "-price" or "-amount" => (a.Amount.CompareTo(b.Amount), true),
            "-rating" => (a.Rating.CompareTo(b.Rating), true),
            "rating" => (one.AverageRating.CompareTo(other.AverageRating), true),
            "name" => (string.CompareOrdinal(a.Name, b.Name), false),
            "newest" => (a.Created.CompareTo(b.Created), true),
            "modified" => (a.Modified.CompareTo(b.Modified), false),
            "relevance" => (RankOf(a).CompareTo(RankOf(b)), true),
            _ => (0, false),
        };
        if (order == 0) order = one.Id.CompareTo(other.Id);
        return isDescending ? -order : order;
    }

    private string DefaultSort() =>
        parameters.ContainsKey("modifiedAfter") ? "modified" : dates.Any(parameters.ContainsKey) ? "newest" : "id";

    // The searches of this program are for words of names.
    private int RankOf(AggregateState state) =>
        WordsOf(state.Name).Intersect(WordsOf(parameters["q"]), StringComparer.OrdinalIgnoreCase).Count();

    private static bool Keeps(string name, string value, int id, AggregateState state) => name switch
    {
        "afterId" => id > Whole(value),
        "categoryId" => Names(value, state.CategoryId),
        "customerId" or "userId" => Names(value, state.UserId),
        "productId" => Names(value, state.ProductId),
        "minPrice" or "minAmount" => state.Amount >= Amount(value),
        "maxPrice" => state.Amount <= Amount(value),
        "minRating" => state.Rating >= Whole(value),
        "inStock" => state.Stock > 0 == (value == "true"),
        "isActive" => state.IsActive == (value == "true"),
        "isFeatured" => state.IsFeatured == (value == "true"),
        "modifiedAfter" => state.Modified > Time(value),
        "createdAfter" => state.Created > Time(value),
        "fromDate" => state.Created >= Time(value),
        "toDate" => state.Created <= Time(value),
        "status" => value.Split(',').Contains(state.Status),
        "email" => string.Equals(state.Name, value, StringComparison.OrdinalIgnoreCase),
        "q" => !WordsOf(value).Except(
            WordsOf($"{state.Name} {state.Text}"), StringComparer.OrdinalIgnoreCase).Any(),
        _ => true,
    };

    private static SourceDocument ValuesOf(LogEvent one) => new(one.Resource, one.Aggregate, 0, one.State, 0);

    private static bool Names(string ids, int id) => ids.Split(',').Any(one => Whole(one) == id);

    private static int Whole(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);

    private static decimal Amount(string text) =>
        decimal.Parse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);

    // A date alone is its midnight in UTC.
    private static DateTimeOffset Time(string text) =>
        DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
}
