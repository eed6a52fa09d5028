using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>Every filter with every sort in every form of list, compared with the documents themselves.</summary>
public sealed class FilterAndSortTests(VariedShop shop) : IClassFixture<VariedShop>
{
    [Theory, MemberData(nameof(Samples.Good), MemberType = typeof(Samples))]
    public async Task A_filter_keeps_the_same_documents_in_every_sort_and_form(
        string resource, string filter, string value)
    {
        foreach (var sort in Sorts(resource)) await AgreeAsync(resource, new() { [filter] = value }, sort);
    }

    [Theory]
    [InlineData("2026-02-01T12:00:00.1234569Z")]
    [InlineData("2026-02-01T12:00:00.12345699Z")]
    [InlineData("2026-02-01T14:00:00.123456999+02:00")]
    public void Decimals_of_a_second_after_the_sixth_are_ignored(string text) =>
        ValueKind.Time.Parse(text).ShouldBe(ValueKind.Time.Parse("2026-02-01T12:00:00.123456Z"));

    [Theory, ClassData(typeof(Endpoints.EveryResource))]
    public async Task A_sort_without_a_filter_orders_the_whole_list(string resource)
    {
        foreach (var sort in Sorts(resource)) await AgreeAsync(resource, [], sort);
    }

    [Theory]
    [InlineData("orders", "customerId")]
    [InlineData("reviews", "productId")]
    [InlineData("reviews", "userId")]
    [InlineData("products", "categoryId")]
    public async Task Small_pages_of_one_parent_have_each_document_once_in_every_sort(string resource, string filter)
    {
        foreach (var sort in Sorts(resource))
        {
            for (var parent = 1; parent <= 11; parent++)
            {
                var value = parent.ToString(CultureInfo.InvariantCulture);
                var filters = new Dictionary<string, string> { [filter] = value };
                var expected = Oracle.Ids(resource, shop.Living(resource).Values, filters, sort);
                var query = $"&{filter}={value}{(sort is null ? "" : $"&sort={sort}")}";
                var list = new ListClient(shop.Http, resource, query);
                (await list.ForwardsAsync(2)).ShouldBe(expected, query);
                (await list.BackwardsAsync(2)).ShouldBe(expected, query);
                (await list.NumberedAsync("/v2", 3)).ShouldBe(expected, query);
            }
        }
    }

    [Fact]
    public async Task Filters_narrow_each_other()
    {
        string[] sorts = ["id", "price", "-price", "rating"];
        foreach (var sort in sorts)
        {
            await AgreeAsync(
                "products", new() { ["minPrice"] = "20", ["maxPrice"] = "150", ["inStock"] = "true" }, sort);
            await AgreeAsync(
                "products", new() { ["categoryId"] = "3", ["isActive"] = "true", ["maxPrice"] = "150" }, sort);
            await AgreeAsync(
                "products",
                new() { ["q"] = "chairs", ["isFeatured"] = "false", ["modifiedAfter"] = "2026-01-20" },
                sort);
        }

        await AgreeAsync("products", new() { ["categoryId"] = "2,3", ["inStock"] = "true" }, "price");
        await AgreeAsync("reviews", new() { ["productId"] = "7,9", ["userId"] = "8" }, null);
        await AgreeAsync("products", new() { ["modifiedAfter"] = "2026-01-20", ["isActive"] = "true" }, null);
        await AgreeAsync(
            "orders", new() { ["fromDate"] = "2026-01-20", ["toDate"] = "2026-02-10", ["status"] = "Pending" }, null);
        await AgreeAsync("orders", new() { ["fromDate"] = "2026-01-20", ["toDate"] = "2026-02-10" }, "newest");
        await AgreeAsync("reviews", new() { ["minRating"] = "3", ["userId"] = "7" }, "-rating");
        await AgreeAsync("users", new() { ["createdAfter"] = "2026-01-20", ["isActive"] = "true" }, null);
    }

    [Theory, MemberData(nameof(Samples.Bad), MemberType = typeof(Samples))]
    public async Task A_malformed_value_is_rejected_with_the_name_of_its_filter(
        string resource, string filter, string value)
    {
        foreach (var form in (string[])["", "/v2", "/cursor", "/stream"])
            await RefusedAsync($"{resource}{form}?{filter}={value}", filter);
    }

    [Theory, ClassData(typeof(Endpoints.EveryResource))]
    public async Task A_filter_that_is_empty_given_twice_or_of_another_resource_is_rejected(string resource)
    {
        foreach (var filter in ReadModel.All.First(one => one.Name == resource).Filters)
        {
            var value = Samples.Of[$"{resource}.{filter.Name}"].Good[0];
            await RefusedAsync($"{resource}/v2?{filter.Name}=", filter.Name);
            await RefusedAsync($"{resource}/cursor?{filter.Name}={value}&{filter.Name}={value}", filter.Name);
            foreach (var other in ReadModel.All.Where(other => other.Filters.All(known => known.Name != filter.Name)))
            {
                await RefusedAsync($"{other.Name}/stream?{filter.Name}={value}", filter.Name);
            }
        }
    }

    [Theory]
    [InlineData("products", "minPrice=10.01&maxPrice=10", "minPrice")]
    [InlineData("orders", "fromDate=2026-02-02&toDate=2026-02-01T23:59:59Z", "fromDate")]
    public async Task A_range_that_ends_before_it_begins_is_rejected(string resource, string query, string named) =>
        await RefusedAsync($"{resource}/v2?{query}", named);

    [Theory, ClassData(typeof(Endpoints.EveryResource))]
    public async Task An_unknown_sort_is_rejected_with_the_list_of_valid_sorts(string resource)
    {
        foreach (var sort in (string[])["colour", "-id", "ID", "modified", "id,name"])
        {
            var problem = await RefusedAsync($"{resource}/v2?sort={sort}", "sort");
            problem.GetProperty("detail").GetString()
                .ShouldEndWith(string.Join(", ", Named(resource)) + ".");
        }
    }

    private static IEnumerable<string> Named(string resource) =>
        ReadModel.All.First(one => one.Name == resource).Sorts.Where(sort => sort.IsPublic).Select(sort => sort.Name);

    private static IEnumerable<string?> Sorts(string resource) =>
    [
        null,
        .. ReadModel.All.First(one => one.Name == resource).Sorts
            .Where(sort => sort is { IsPublic: true, RequiredFilter: null }).Select(sort => sort.Name),
    ];

    private async Task AgreeAsync(string resource, Dictionary<string, string> filters, string? sort)
    {
        var expected = Oracle.Ids(resource, shop.Living(resource).Values, filters, sort);
        var query = string.Concat(filters.Select(filter => $"&{filter.Key}={filter.Value}")) + (
            sort is null ? "" : $"&sort={sort}");
        var (list, because) = (new ListClient(shop.Http, resource, query), $"{resource}?{query}");

        (await list.NumberedAsync("", 23)).ShouldBe(expected, because);
        (await list.NumberedAsync("/v2", 50)).ShouldBe(expected, because);
        (await list.ForwardsAsync(17)).ShouldBe(expected, because);
        (await list.BackwardsAsync(19)).ShouldBe(expected, because);
        var lines = await shop.Http.GetAsync($"{resource}/stream?limit=1000{query}", "Accept", "application/x-ndjson");
        var streamed = (await lines.Content.ReadAsStringAsync()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        streamed.Select(line => Oracle.Id(JsonElement.Parse(Encoding.UTF8.GetBytes(line)))).ShouldBe(expected, because);
    }

    private async Task<JsonElement> RefusedAsync(string path, string named)
    {
        using var answer = await shop.Http.GetAsync(path);
        var problem = await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
        problem.Named().ShouldBe([named], path);
        return problem;
    }
}
