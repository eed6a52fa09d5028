using System.Net;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Limits;

/// <summary>
/// Walks through lists in which nearly nothing fulfils the filter. A lock takes the place of the millions of rows that
/// such a walk would skip.
/// </summary>
public sealed class SkewedWalkTests(SkewedWalkTests.Shop shop) : IClassFixture<SkewedWalkTests.Shop>
{
    private const int Connections = 2;
    private const int Products = 2_000;
    private const int OnlyOneInStock = 1_990;

    public sealed class Shop : ReadShop
    {
        protected override async Task SeedAsync()
        {
            foreach (var resource in Documents.Resources) await PutAsync(resource, [1, 2, 3]);
            await PutAsync("products", [.. Enumerable.Range(1, Products)]);
            await ExecuteAsync("UPDATE read.products SET stock = 0 WHERE id <> $1", OnlyOneInStock);
        }

        private protected override QueriesApp Configure(QueriesApp queries) => queries
            .With("Reading:Connections", Connections).With("Reading:WalkConnections", Connections)
            .With("Reading:SearchSeconds", 30).With("Reading:WaitSeconds", 20)
            .With("Streaming:Connections", Connections).With("Streaming:SearchConnections", Connections);
    }

    [Fact]
    public async Task The_only_document_is_found()
    {
        foreach (var path in (string[])["products/cursor?inStock=true", "products/v2?inStock=true&sort=rating"])
        {
            var page = await shop.Http.JsonAsync(path);
            Documents.Ids(page.GetProperty("data")).ShouldBe([OnlyOneInStock], path);
        }
    }

    [Fact]
    public async Task Many_long_walks_delay_no_other_list_and_no_document()
    {
        await using var locked = await shop.LockAsync("read.product_ratings");
        Task<HttpResponseMessage>[] walks =
        [
            .. Enumerable.Range(1, 30).Select(size => shop.Http.GetAsync(
                $"products/cursor?sort=rating&inStock=true&pageSize={size}")),
            .. Enumerable.Range(1, 10).Select(limit => shop.Http.GetAsync(
                $"products/stream?sort=rating&inStock=true&limit={limit}")),
        ];
        await Eventually.Holds(async () => await shop.WaitingAsync() >= 2 * Connections, "walks wait for the lock");

        string[] others =
        [
            "products/7", "products/cursor?sort=price", "products/v2?page=3", "users/cursor?isActive=true",
            "categories/v2?isActive=true", "orders/cursor?sort=newest", "reviews/v2", "orders/stream",
            "products/stream?limit=9", "users/stream?isActive=true", "orders/stream?minAmount=1",
        ];
        foreach (var path in others) (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK, path);

        await locked.DisposeAsync();
        foreach (var one in await Task.WhenAll(walks)) one.Dispose();
    }

    [Fact]
    public async Task A_walk_has_a_time_limit_and_its_own_error()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Reading:SearchSeconds", 1);
        using var http = app.CreateClient();
        // The time limit includes that of a first connection.
        await app.OpenAsync(http, "products/cursor?sort=rating&inStock=true&pageSize=5");
        await using var locked = await shop.LockAsync("read.product_ratings");

        using var answer = await app.SearchAsync(http, "products/cursor?sort=rating&inStock=true");
        await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "search.too_expensive");
        app.Failures.ShouldBeEmpty("no failure of the database is reported");
    }
}
