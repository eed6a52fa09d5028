using System.Text.Json;

namespace ApexShop.Prove.Clients;

/// <summary>Reads the counts of GET /products/facets.</summary>
internal static class FacetReader
{
    private static readonly string[] facets = ["categories", "prices", "ratings", "stock"];

    /// <summary>The number of products, and their sum by each facet.</summary>
    public static IReadOnlyList<long> TotalsOf(JsonElement json) =>
    [
        json.GetProperty("totalCount").GetInt64(),
        .. facets.Select(facet => json.GetProperty(facet).EnumerateArray().Sum(one => CountOf(one))),
    ];

    /// <summary>The categories with the number of their products.</summary>
    public static IEnumerable<(int Id, long Count)> CategoriesOf(JsonElement json) =>
        json.GetProperty("categories").EnumerateArray().Select(one => (one.GetProperty("id").GetInt32(), CountOf(one)));

    private static long CountOf(JsonElement one) => one.GetProperty("count").GetInt64();
}
