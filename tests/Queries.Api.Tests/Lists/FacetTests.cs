using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>The counts of facets, compared with those of the documents themselves.</summary>
public sealed class FacetTests(VariedShop shop) : IClassFixture<VariedShop>
{
    private static readonly int?[] starts = [0, 10, 25, 50, 100, 250, 500, 1000, null];

    [Theory]
    [InlineData("")]
    [InlineData("categoryId=3")]
    [InlineData("categoryId=3,1")]
    [InlineData("minPrice=20&maxPrice=150&inStock=true")]
    [InlineData("q=chairs&isFeatured=false")]
    [InlineData("modifiedAfter=2026-01-20")]
    [InlineData("isActive=false")]
    public async Task Each_value_has_as_many_documents_as_the_list(string query)
    {
        var facets = await shop.Http.JsonAsync($"products/facets?{query}");
        var page = await shop.Http.JsonAsync($"products/v2?pageSize=100&{query}");
        var products = page.GetProperty("data").EnumerateArray().ToList();
        products.ShouldNotBeEmpty();

        facets.GetProperty("totalCount").GetInt32().ShouldBe(products.Count);
        Of(facets, "categories", one => one.GetProperty("id").GetRawText())
            .ShouldBe(By(products, one => one.GetProperty("category").GetProperty("id").GetInt32()));
        Of(facets, "ratings", one => one.GetProperty("stars").GetRawText())
            .ShouldBe(By(products, one => (int)one.GetProperty("rating").GetProperty("average").GetDecimal()));
        Of(facets, "stock", one => one.GetProperty("inStock").GetBoolean() ? "1" : "0")
            .ShouldBe(By(products, one => one.GetProperty("stock").GetInt32() > 0 ? 1 : 0));
        Of(facets, "prices", one => one.GetProperty("from").GetRawText()).ShouldBe(
            By(products, one => starts.Last(start => start <= one.GetProperty("price").GetDecimal())!.Value));
    }

    [Fact]
    public async Task A_price_range_ends_where_the_next_one_begins()
    {
        var dear = JsonNode.Parse(VariedShop.Body("products", 501, 0))!;
        dear["price"] = 1200;
        await shop.PutAsync("products", [501], _ => JsonSerializer.SerializeToUtf8Bytes(dear));
        var prices = (await shop.Http.JsonAsync("products/facets")).GetProperty("prices").EnumerateArray().ToList();
        prices.Count.ShouldBeGreaterThan(3);
        prices[^1].GetProperty("below").ValueKind.ShouldBe(JsonValueKind.Null);
        foreach (var range in prices)
        {
            var from = range.GetProperty("from").GetInt32();
            range.GetProperty("below").ToString()
                .ShouldBe($"{starts[Array.IndexOf(starts, from) + 1]?.ToString(CultureInfo.InvariantCulture)}");
        }
    }

    [Fact]
    public async Task A_list_without_products_has_no_values()
    {
        var facets = await shop.Http.JsonAsync("products/facets?categoryId=2147483647");
        facets.GetProperty("totalCount").GetInt32().ShouldBe(0);
        facets.GetProperty("categories").GetArrayLength().ShouldBe(0);
    }

    [Theory]
    [InlineData("products/facets?sort=price")]
    [InlineData("products/facets?page=2")]
    [InlineData("products/facets?minPrice=2&maxPrice=1")]
    public async Task Anything_but_filters_is_refused(string path)
    {
        using var response = await shop.Http.GetAsync(path);
        await response.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
    }

    [Fact]
    public async Task Other_resources_have_none()
    {
        using var response = await shop.Http.GetAsync("orders/facets");
        response.StatusCode.ShouldBe(HttpStatusCode.NotFound);
    }

    private static List<(string, long)> Of(JsonElement facets, string name, Func<JsonElement, string> value) =>
        [.. facets.GetProperty(name).EnumerateArray().Select(one => (value(one), one.GetProperty("count").GetInt64()))];

    private static List<(string, long)> By(List<JsonElement> products, Func<JsonElement, int> value) =>
        [.. products.GroupBy(value).OrderBy(group => group.Key).Select(group => ($"{group.Key}", (long)group.Count()))];
}
