using System.Net;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Limits;

public sealed class SearchTimeLimitTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Fact]
    public async Task A_search_that_takes_too_long_is_an_error_of_the_search_and_not_of_the_database()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Reading:SearchSeconds", 1);
        using var http = app.CreateClient();
        // The time limit includes that of a first connection.
        await app.OpenAsync(http, "products/v2?q=lamp", "products/cursor?q=lamp");
        await using var locked = await shop.LockAsync("read.product_words");

        foreach (var path in (string[])["products/v2?q=chair", "products?q=chair", "products/cursor?q=chair"])
        {
            using var answer = await app.SearchAsync(http, path);
            await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "search.too_expensive");
        }

        app.Failures.ShouldBeEmpty("no failure of the database is reported");
    }

    [Theory]
    [InlineData("products/facets?q=chair", "products/facets?q=table")]
    [InlineData("products/v2?q=chair", "products/v2?q=table")]
    public async Task A_count_that_was_too_expensive_is_refused_without_another_attempt(string path, string other)
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Reading:SearchSeconds", 1);
        using var http = app.CreateClient();
        await app.OpenAsync(http, other);
        await using (await shop.LockAsync("read.product_words"))
        {
            using var expensive = await app.SearchAsync(http, path);
            await expensive.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "search.too_expensive");
        }

        using var again = await http.GetAsync(path);
        await again.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "search.too_expensive");
        // For less than the minute for which it would be refused.
        await Eventually.Holds(async () => (await http.GetAsync(other)).IsSuccessStatusCode, "another one is counted");
    }

    [Fact]
    public async Task Facets_that_wait_too_long_for_others_are_refused()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .With("Reading:WaitSeconds", 3).With("Reading:SearchSeconds", 20);
        using var http = app.CreateClient();
        // The same limit is that of a first connection.
        await app.OpenAsync(http, "products/facets?q=chair");
        await using var locked = await shop.LockAsync("read.product_words");
        var first = http.GetAsync("products/facets?q=chair");
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "the first are counted");

        using var refused = await http.GetAsync("products/facets?q=table");
        await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "search.busy");

        await locked.DisposeAsync();
        (await first).StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task Facets_of_a_category_do_not_wait_for_those_of_all_products()
    {
        await using var app = new QueriesApp(shop.Database.Queries).WithKey(0, ReadShop.Key)
            .With("Reading:WaitSeconds", 3).With("Reading:SearchSeconds", 20);
        using var http = app.CreateClient();
        http.DefaultRequestHeaders.Authorization = new("Bearer", ReadShop.Key);
        await app.OpenAsync(http, "products/facets?q=chair", "products/facets?categoryId=3");
        await using var locked = await shop.LockAsync("read.product_words");
        var first = http.GetAsync("products/facets?q=chair");
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "those of all products are counted");

        using var category = await http.GetAsync("products/facets?categoryId=3");
        category.StatusCode.ShouldBe(HttpStatusCode.OK);

        await locked.DisposeAsync();
        (await first).StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_search_without_a_free_connection_is_refused_and_delays_no_other_resource()
    {
        await using var app = new QueriesApp(shop.Database.Queries).WithKey(0, ReadShop.Key)
            .With("Reading:SearchConnections", 2).With("Reading:WaitSeconds", 3).With("Reading:SearchSeconds", 20);
        using var http = app.CreateClient();
        http.DefaultRequestHeaders.Authorization = new("Bearer", ReadShop.Key);
        string[] longSearches = ["products/cursor?q=chair&pageSize=1", "products/cursor?q=chair&pageSize=2"];
        string[] others = ["reviews/v2?minRating=4", "products/v2?categoryId=3", "products/1"];
        // The same limit is that of a first connection.
        await app.OpenAsync(http, others);
        await shop.OpenTogetherAsync(http, "read.product_words", longSearches);
        app.Logged.Clear();
        await using var locked = await shop.LockAsync("read.product_words");

        Task<HttpResponseMessage>[] searches = [.. longSearches.Select(path => http.GetAsync(path))];
        await Eventually.Holds(async () => await shop.WaitingAsync() == 2, "both connections are in use");
        foreach (var path in (string[])["products/v2?q=table", "products/cursor?q=chair&pageSize=9"])
        {
            using var refused = await http.GetAsync(path);
            await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "search.busy");
            refused.Headers.RetryAfter.ShouldNotBeNull();
        }

        foreach (var path in others)
        {
            using var other = await http.GetAsync(path);
            other.StatusCode.ShouldBe(HttpStatusCode.OK, path);
        }

        await locked.DisposeAsync();
        foreach (var search in await Task.WhenAll(searches)) search.StatusCode.ShouldBe(HttpStatusCode.OK);
        app.Failures.ShouldBeEmpty("no failure of the database is reported");
    }
}
