using System.Net;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>
/// Row and outbox row stand or fall together: whichever the database refuses, the other is not there either.
/// </summary>
public sealed class OneCommitTests(CommandsApp app) : IClassFixture<CommandsApp>, IAsyncLifetime
{
    private static readonly string[] tables = [.. Resource.Names, "order_items", "outbox"];

    private List<(HttpMethod Method, string Path, object? Body)> commands = [];

    public async Task InitializeAsync()
    {
        var (categoryId, productId, userId) =
            (await app.CategoryAsync(), await app.ProductAsync(), await app.UserAsync());
        var (orderId, otherProduct, otherUser) =
            (await app.OrderAsync((productId, 1)), await app.ProductAsync(), await app.UserAsync());
        var reviewId = await app.ReviewAsync(otherProduct, otherUser);
        commands =
        [
            (HttpMethod.Post, "/categories", new { name = "x" }),
            (HttpMethod.Put, $"/categories/{categoryId}", new { name = "x" }),
            (HttpMethod.Delete, $"/categories/{categoryId}", null),
            (HttpMethod.Post, "/products", ShopBuilder.ProductBody(categoryId)),
            (HttpMethod.Put, $"/products/{productId}", ShopBuilder.ReplacementBody(categoryId)),
            (HttpMethod.Patch, $"/products/{productId}/stock", new { delta = 1 }),
            (HttpMethod.Delete, $"/products/{otherProduct}", null),
            (HttpMethod.Post, "/users", ShopBuilder.UserBody()),
            (HttpMethod.Put, $"/users/{userId}", ShopBuilder.UserBody()),
            (HttpMethod.Delete, $"/users/{otherUser}", null),
            (HttpMethod.Post, "/orders", ShopBuilder.OrderBody(userId, (productId, 1))),
            (HttpMethod.Put, $"/orders/{orderId}", ShopBuilder.StatusBody("Cancelled")),
            (HttpMethod.Delete, $"/orders/{orderId}", null),
            (HttpMethod.Post, "/reviews", new { productId, userId, rating = 1 }),
            (HttpMethod.Put, $"/reviews/{reviewId}", new { rating = 1 }),
            (HttpMethod.Delete, $"/reviews/{reviewId}", null),
            .. await SetBasedAsync(),
        ];
        await app.ScalarAsync<object>(
            """
            CREATE OR REPLACE FUNCTION shop.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE 'refused'; END $$;
            """);
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task Without_its_outbox_row_no_change_happens()
    {
        await RefuseAsync("outbox");
        try
        {
            foreach (var (method, path, body) in commands) await ShouldChangeNothingAsync(method, path, body);
        }
        finally
        {
            await AcceptAsync("outbox");
        }
    }

    [Fact]
    public async Task Without_its_change_no_outbox_row_is_written()
    {
        foreach (var (method, path, body) in commands)
        {
            var table = path.Split('/')[1];
            await RefuseAsync(table);
            try
            {
                await ShouldChangeNothingAsync(method, path, body);
            }
            finally
            {
                await AcceptAsync(table);
            }
        }
    }

    private async Task<List<(HttpMethod Method, string Path, object? Body)>> SetBasedAsync()
    {
        var (categoryId, emptyCategory, userId) =
            (await app.CategoryAsync(), await app.CategoryAsync(), await app.UserAsync());
        var productId = await app.ManyProductsAsync(categoryId, 1_100);
        var (reviewed, sleeper) = (await app.ProductAsync(), await app.ManyUsersAsync(1_100, createdDaysAgo: 40));
        var reviewId = await app.ManyReviewsAsync(reviewed, 3, daysAgo: 40);
        await app.ManyOrdersAsync(userId, productId, 3, "Delivered", deliveredDaysAgo: 40);
        return
        [
            (HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId, stock = 3 }),
            (HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId, delta = -3 }),
            (HttpMethod.Patch, "/users/bulk-deactivate-inactive?inactiveDays=30", null),
            (HttpMethod.Delete, "/products/bulk", new[] { productId + 1, reviewed }),
            (HttpMethod.Delete, "/categories/bulk", new[] { emptyCategory }),
            (HttpMethod.Delete, "/reviews/bulk", new[] { reviewId }),
            (HttpMethod.Delete, "/users/bulk", new[] { sleeper, reviewId }),
            (HttpMethod.Delete, "/orders/bulk-delete-old?olderThanDays=30", null),
            (HttpMethod.Delete, $"/reviews/product/{reviewed}/bulk-delete-old?olderThanDays=30", null),
        ];
    }

    private async Task ShouldChangeNothingAsync(HttpMethod method, string path, object? body)
    {
        var before = await ContentAsync();

        var answer = await app.SendAsync(method, path, body);

        answer.ShouldBeProblem(HttpStatusCode.InternalServerError, "internal");
        answer.Text.ShouldNotContain("refused");
        (await ContentAsync()).ShouldBe(before, $"{method} {path}");
    }

    // One statement and one snapshot of all tables, on one connection.
    private Task<string?> ContentAsync() =>
        app.ScalarAsync<string>("SELECT concat_ws(E'\\n', " + string.Join(", ", tables.Select(table =>
        $"(SELECT '{table} ' || coalesce(string_agg(t::text, ' ' ORDER BY t::text), '') FROM shop.{table} AS t)"))
            + ")");

    private Task<object?> RefuseAsync(string table) =>
        app.ScalarAsync<object>(
            $"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON shop.{table} EXECUTE FUNCTION shop.refuse()");

    private Task<object?> AcceptAsync(string table) => app.ScalarAsync<object>($"DROP TRIGGER refuse ON shop.{table}");
}
