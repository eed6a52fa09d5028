using System.Diagnostics;
using System.Net;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Endpoints;

/// <summary>Numbered pages before which many rows are skipped are bounded, and delay no other reads.</summary>
public sealed class DeepPageTests(DeepPageTests.Shop shop) : IClassFixture<DeepPageTests.Shop>
{
    private const int Products = 1_500;
    private const int Reviews = 700;
    private const int Most = 1_000;
    private const int Connections = 2;
    private const string Deep = "products/v2?sort=rating&pageSize=10&page=";

    public sealed class Shop : ReadShop
    {
        protected override async Task SeedAsync()
        {
            await PutAsync("products", [.. Enumerable.Range(1, Products)]);
            await PutAsync("reviews", [.. Enumerable.Range(1, Reviews)]);
        }

        private protected override QueriesApp Configure(QueriesApp queries) => queries
            .With("Reading:MaxOffset", Most)
            .With("Reading:Connections", Connections).With("Reading:DeepPageConnections", Connections)
            .With("Reading:SearchSeconds", 30).With("Reading:WaitSeconds", 20);
    }

    [Theory]
    [InlineData("products", "sort=name")]
    [InlineData("products/v2", "sort=name")]
    [InlineData("products/v2", "sort=rating")]
    [InlineData("products/v2", "minPrice=0&isFeatured=false&sort=-price")]
    [InlineData("products/v2", "minPrice=0")]
    [InlineData("products/v2", "q=chair")]
    public async Task A_page_beyond_the_bound_is_refused_with_a_link_to_the_cursor_of_its_list(
        string path, string query)
    {
        using (var last = await shop.Http.GetAsync($"{path}?{query}&pageSize=20&page={(Most / 20) + 1}"))
        {
            last.StatusCode.ShouldBe(HttpStatusCode.OK);
            string.Join(", ", last.Headers.GetValues("Link")).ShouldNotContain("rel=\"next\"");
        }

        using var refused = await shop.Http.GetAsync($"{path}?{query}&pageSize=20&page={(Most / 20) + 2}");
        await refused.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "page.too_deep");
        var link = refused.Headers.GetValues("Link").Single();
        link.ShouldBe($"</products/cursor?{query}&pageSize=20>; rel=\"alternate\"");

        var first = await IdsAsync($"{path}?{query}&pageSize=20");
        (await IdsAsync(link[1..link.IndexOf('>', StringComparison.Ordinal)])).ShouldBe(first);
    }

    [Fact]
    public async Task A_refusal_takes_a_tenth_of_a_second_so_that_its_repetition_without_a_pause_is_no_load()
    {
        var began = Stopwatch.GetTimestamp();
        for (var i = 0; i < 3; i++)
        {
            using var refused = await shop.Http.GetAsync($"products/v2?sort=name&pageSize=20&page={(Most / 20) + 2}");
            refused.StatusCode.ShouldBe(HttpStatusCode.BadRequest);
        }

        Stopwatch.GetElapsedTime(began).ShouldBeGreaterThan(TimeSpan.FromMilliseconds(290));
    }

    [Theory]
    [InlineData("products", "", Products - 1, Products - 1)]
    [InlineData("products/v2", "", Products - 1, Products - 1)]
    [InlineData("products/v2", "&sort=id", Products - 1, Products - 1)]
    // Each fifteenth product is of this category.
    [InlineData("products/v2", "&categoryId=3", 100, 1_488)]
    public async Task Counts_of_segments_find_a_page_at_any_depth(string path, string query, int page, int id)
    {
        (await IdsAsync($"{path}?pageSize=1&page={page}{query}")).ShouldBe([id]);
        using var beyond = await shop.Http.GetAsync($"{path}?pageSize=100&page=2147483647{query}");
        beyond.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task Many_readers_of_deep_pages_take_no_connection_of_documents_other_pages_and_other_resources()
    {
        await using var locked = await shop.LockAsync("read.product_ratings");

        Task<HttpResponseMessage>[] deep =
            [.. Enumerable.Range(60, 40).Select(page => shop.Http.GetAsync($"{Deep}{page}"))];
        await Eventually.Holds(async () => await shop.WaitingAsync() >= Connections, "deep pages wait for the lock");
        string[] others =
        [
            "products/7", "products/cursor", "products/v2?sort=name", "products/v2?page=9",
            "reviews/v2?sort=newest&page=30",
        ];
        foreach (var path in others)
            (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK, path);
        (await shop.WaitingAsync()).ShouldBe(Connections, "no other connection reads deep pages");

        await locked.DisposeAsync();
        foreach (var one in await Task.WhenAll(deep)) one.Dispose();
    }

    private async Task<IReadOnlyList<int>> IdsAsync(string path) =>
        Documents.Ids((await shop.Http.JsonAsync(path)).GetProperty("data"));
}
