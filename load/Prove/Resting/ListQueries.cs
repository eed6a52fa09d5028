using System.Globalization;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Resting;

/// <summary>The filters and sorts with which the lists of a resource are read, by values of its documents.</summary>
internal static class ListQueries
{
    private static readonly string[] statuses = ["Pending", "Processing", "Shipped", "Delivered", "Cancelled"];

    /// <summary>Each sort alone, each filter alone and in another order, and each with another one.</summary>
    public static IEnumerable<string> Of(string resource, IReadOnlyList<SourceDocument> documents)
    {
        string[] sorts = [.. ListPlan.Sorts[resource].Select(sort => $"sort={sort}")];
        string[] filters = [.. FiltersOf(resource, documents)];
        return
        [
            "", .. sorts, .. filters, .. filters.Select((filter, at) => $"{filter}&{sorts[at % sorts.Length]}"),
            .. filters.SelectMany((filter, at) => OtherOf(filters, at) is { } other
                ? [$"{filter}&{other}", $"{filter}&{other}&{sorts[^(1 + (at % sorts.Length))]}"]
                : Array.Empty<string>()),
            .. resource == Kinds.Products ? KnownShop.Words.Select(word => $"q={word}&sort=relevance") : [],
        ];
    }

    /// <summary>Each filter with a value, and those that take several with two.</summary>
    public static IEnumerable<string> FiltersOf(string resource, IReadOnlyList<SourceDocument> documents) =>
        documents.Count == 0 ? [] : resource switch
        {
            Kinds.Products =>
            [
                .. Ids("categoryId", documents, state => state.CategoryId),
                $"minPrice={AmountAt(documents, 1)}", $"maxPrice={AmountAt(documents, 3)}", .. Flags("inStock"),
                .. Flags("isActive"), .. Flags("isFeatured"),
                $"modifiedAfter={TimeAt(documents, 2, state => state.Modified)}",
                $"q={KnownShop.Words[0]}", $"q={KnownShop.Words[1]}%20kept",
            ],
            Kinds.Orders =>
            [
                .. Ids("customerId", documents, state => state.UserId), .. statuses.Select(one => $"status={one}"),
                "status=Pending,Cancelled", $"fromDate={TimeAt(documents, 1, state => state.Created)}",
                $"toDate={TimeAt(documents, 3, state => state.Created)}", $"minAmount={AmountAt(documents, 2)}",
            ],
            Kinds.Reviews =>
            [
                .. Ids("productId", documents, state => state.ProductId),
                .. Ids("userId", documents, state => state.UserId), "minRating=3", "minRating=5",
            ],
            Kinds.Users =>
            [
                .. Flags("isActive"), $"createdAfter={TimeAt(documents, 2, state => state.Created)}",
                $"email={Uri.EscapeDataString(documents[documents.Count / 2].State.Name.ToUpperInvariant())}",
            ],
            _ => [.. Flags("isActive")],
        };

    // A parameter is given once, so the other filter is the next one with another name.
    private static string? OtherOf(string[] filters, int at) =>
        filters.Skip(at + 1).Concat(filters.Take(at)).FirstOrDefault(other => NameOf(other) != NameOf(filters[at]));

    private static string NameOf(string filter) => filter.Split('=')[0];

    private static string[] Flags(string name) => [$"{name}=true", $"{name}=false"];

    // The one that most documents have, and this one with the last one.
    private static IEnumerable<string> Ids(
        string name, IReadOnlyList<SourceDocument> documents, Func<AggregateState, int> of)
    {
        var ids = documents.GroupBy(one => of(one.State)).OrderByDescending(same => same.Count())
            .Select(same => same.Key).ToList();
        return ids.Count == 1 ? [$"{name}={ids[0]}"] : [$"{name}={ids[0]}", $"{name}={ids[0]},{ids[^1]}"];
    }

    private static string AmountAt(IReadOnlyList<SourceDocument> documents, int quarter) =>
        At(documents, quarter, state => state.Amount).ToString("0.00", CultureInfo.InvariantCulture);

    private static string TimeAt(
        IReadOnlyList<SourceDocument> documents, int quarter, Func<AggregateState, DateTimeOffset> of) =>
        At(documents, quarter, of).ToString("yyyy-MM-dd'T'HH:mm:ss.ffffff'Z'", CultureInfo.InvariantCulture);

    // A value that a document has, so that the limit itself is compared too.
    private static T At<T>(IReadOnlyList<SourceDocument> documents, int quarter, Func<AggregateState, T> of) =>
        documents.Select(one => of(one.State)).Order().ElementAt((documents.Count - 1) * quarter / 4);
}
