using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Reads the counts of GET /products/facets.</summary>
internal static class FacetReader
{
    /// <summary>The names of the facets; every product has one value of each.</summary>
    public static IReadOnlyList<string> Facets { get; } = ["categories", "prices", "ratings", "stock"];

    /// <summary>The number of products, and their sum by each facet.</summary>
    public static IReadOnlyList<long> TotalsOf(JsonElement json) =>
    [
        json.GetProperty("totalCount").GetInt64(),
        .. Facets.Select(facet => json.GetProperty(facet).EnumerateArray().Sum(one => CountOf(one))),
    ];

    /// <summary>The categories with the number of their products.</summary>
    public static IEnumerable<(int Id, long Count)> CategoriesOf(JsonElement json) =>
        json.GetProperty("categories").EnumerateArray().Select(one => (one.GetProperty("id").GetInt32(), CountOf(one)));

    /// <summary>All counts; the values of a facet are ranges of numbers.</summary>
    public static IEnumerable<FacetCount> CountsOf(JsonElement json) =>
        from facet in Facets
        from one in json.GetProperty(facet).EnumerateArray()
        let range = RangeOf(facet, one)
        select new FacetCount(facet, range.From, range.Below, CountOf(one));

    private static (decimal From, decimal? Below) RangeOf(string facet, JsonElement one)
    {
        if (facet == "prices")
        {
            var below = one.GetProperty("below");
            return (
                one.GetProperty("from").GetDecimal(),
                below.ValueKind == JsonValueKind.Null ? null : below.GetDecimal());
        }

        var value = facet switch
        {
            "categories" => one.GetProperty("id").GetInt32(),
            "ratings" => one.GetProperty("stars").GetInt32(),
            _ => one.GetProperty("inStock").GetBoolean() ? 1 : 0,
        };
        return (value, value + 1);
    }

    private static long CountOf(JsonElement one) => one.GetProperty("count").GetInt64();
}
