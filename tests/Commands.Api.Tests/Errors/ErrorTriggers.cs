using System.Net;
using System.Net.Http.Json;
using System.Text;

namespace ApexShop.Commands.Api.Tests.Errors;

/// <summary>The shortest request that triggers each code.</summary>
internal static class ErrorTriggers
{
    /// <summary>Codes that no single request can trigger, and why.</summary>
    public static IReadOnlyDictionary<string, string> Untriggered { get; } = new Dictionary<string, string>
    {
        ["data.conflict"] = "every constraint of the schema has its own code; this one is for a constraint added later",
        ["events.beyond_head"] = "is sent in a stream whose status is 200; FollowEventsTests reads it",
        ["events.removed"] = "needs events that are older than a day; LogCompactionTests has some",
        ["log.replaced"] = "needs a log with another identity; ReplacedLogTests makes one",
        ["process.stopping"] = "needs a process that stops during a response; InterruptedResponseTests stops one",
        ["request.too_slow"] = "needs five seconds without data; BrokenConnectionTests waits for it",
    };

    public static IReadOnlyDictionary<string, Func<CommandsApp, Task<Answer>>> All { get; } = Requests.Concat(Rules)
        .Concat(StatefulErrorTriggers.All)
        .ToDictionary();

    private static Dictionary<string, Func<CommandsApp, Task<Answer>>> Requests => new()
    {
        ["access.key_required"] = app => SendAsync(app.ClientWith(null), HttpMethod.Delete, "/orders/1"),
        ["access.scope_missing"] = app => SendAsync(app.ClientWith("admin"), HttpMethod.Delete, "/orders/1"),
        ["access.own_only"] = async app =>
            await SendAsync(
                await app.CustomerAsync(await app.UserAsync()), HttpMethod.Post, "/orders",
                JsonContent.Create(ShopBuilder.OrderBody(await app.UserAsync(), (1, 1)))),
        ["access.customer_inactive"] = async app =>
        {
            var (user, product) = (await app.UserAsync(), await app.ProductAsync());
            var customer = await app.CustomerAsync(user);
            await app.ScalarAsync<object>($"UPDATE shop.users SET is_active = false WHERE id = {user}");
            return await SendAsync(
                customer, HttpMethod.Post, "/orders", JsonContent.Create(ShopBuilder.OrderBody(user, (product, 1))));
        },
        ["webhook.not_found"] = app => app.DeleteAsync("/admin/webhooks/1234567"),
        ["webhook.url_taken"] = async app =>
        {
            await app.PostAsync("/admin/webhooks", new { url = "https://example.com/taken" });
            return await app.PostAsync("/admin/webhooks", new { url = "https://example.com/taken" });
        },
        ["webhook.too_many"] = async app =>
        {
            await app.ScalarAsync<object>(
                "INSERT INTO shop.webhooks (url, description, types, is_active, key_id, position) "
                + "SELECT n::text, '', '{}', false, '', 0 FROM generate_series(1, 100) AS n");
            var answer = await app.PostAsync("/admin/webhooks", new { url = "https://example.com/further" });
            await app.ScalarAsync<object>("DELETE FROM shop.webhooks");
            return answer;
        },
        ["webhook.other_key"] = async app =>
        {
            await app.ScalarAsync<object>(
                "INSERT INTO shop.webhooks (url, description, types, is_active, key_id, position) "
                + "VALUES ('https://example.com/other', '', '{}', true, 'x', 0)");
            var id = await app.ScalarAsync<int>("SELECT id FROM shop.webhooks WHERE url = 'https://example.com/other'");
            return await app.PostAsync($"/admin/webhooks/{id}/test", "");
        },
        ["webhook.off"] = async app =>
        {
            await using var off = CommandsApp.Start(app.Database.Commands, ("Webhooks:Key", ""));
            using var http = CommandsApp.Client(off, CommandsApp.Key);
            return await SendAsync(http, HttpMethod.Get, "/admin/webhooks");
        },
        ["session.refused"] = app =>
            app.PostAsync("/sessions", new { email = "unknown@example.com", password = "whatever" }),
        ["session.off"] = async app =>
        {
            await using var off = CommandsApp.Start(app.Database.Commands, ("Sessions:Key", ""));
            using var http = CommandsApp.Client(off, null);
            return await SendAsync(
                http, HttpMethod.Post, "/sessions", JsonContent.Create(new { email = "a@b.example", password = "x" }));
        },
        ["path.unknown"] = app => app.DeleteAsync("/nothing"),
        ["method.not_allowed"] = app => app.DeleteAsync("/products"),
        ["request.malformed"] = app => app.PostAsync("/categories", "{"),
        ["request.invalid"] = app => app.PostAsync("/categories", "{}"),
        ["query.invalid"] = app => app.DeleteAsync("/orders/1?dry-run=true"),
        ["body.too_large"] = app => app.PostAsync("/categories", new string(' ', (64 * 1024) + 1)),
        ["content_type.unsupported"] = app =>
            SendAsync(
                app.ClientWith(CommandsApp.Key), HttpMethod.Post, "/categories",
                new StringContent("{}", Encoding.UTF8, "text/plain")),
        ["bulk.too_many"] = app => app.PostAsync("/categories/bulk", Enumerable.Repeat(new { name = "x" }, 1001)),
        ["bulk.item_too_large"] = app =>
            app.PostAsync("/categories/bulk", new[] { new { name = new string('x', 70_000) } }),
        ["idempotency.key_invalid"] = app =>
            SendAsync(
                app.ClientWith(CommandsApp.Key), HttpMethod.Post, "/categories", JsonContent.Create(new { name = "x" }),
                ""),
        ["idempotency.key_reused"] = async app =>
        {
            var http = app.ClientWith(CommandsApp.Key);
            var (one, other) = (JsonContent.Create(new { name = "x" }), JsonContent.Create(new { name = "y" }));
            (await SendAsync(http, HttpMethod.Post, "/categories", one, "once")).ShouldBeCreated("categories");
            return await SendAsync(http, HttpMethod.Post, "/categories", other, "once");
        },
        ["projector.unavailable"] = async _ =>
        {
            await using var alone = CommandsApp.Start(
                "Host=127.0.0.1;Port=1;Username=none;Timeout=1", ("Projector:Urls:0", "http://127.0.0.1:1"));
            using var http = CommandsApp.Client(alone, CommandsApp.Key);
            return await Answer.ReadAsync(await http.GetAsync("/admin/projection"));
        },
        ["streams.busy"] = async app =>
        {
            await using var narrow = CommandsApp.Start(app.Database.Commands, ("Events:Followers", "1"));
            using var http = CommandsApp.Client(narrow, CommandsApp.Key);
            using var follower = await http.GetAsync("/events/live", HttpCompletionOption.ResponseHeadersRead);
            return await Answer.ReadAsync(await http.GetAsync("/events/live"));
        },
        ["version.mismatch"] = async app =>
            await app.PutAsync($"/categories/{await app.CategoryAsync()}", new { name = "x" }, "\"99\""),
    };

    private static Dictionary<string, Func<CommandsApp, Task<Answer>>> Rules => new()
    {
        ["category.not_found"] = app => app.DeleteAsync("/categories/0"),
        ["product.not_found"] = app => app.DeleteAsync("/products/0"),
        ["order.not_found"] = app => app.DeleteAsync("/orders/0"),
        ["review.not_found"] = app => app.DeleteAsync("/reviews/0"),
        ["user.not_found"] = app => app.DeleteAsync("/users/0"),
        ["category.has_products"] = async app =>
        {
            var category = await app.CategoryAsync();
            (await app.PostAsync("/products", ShopBuilder.ProductBody(category))).ShouldBeCreated("products");
            return await app.DeleteAsync($"/categories/{category}");
        },
        ["product.category_unknown"] = app => app.PostAsync("/products", ShopBuilder.ProductBody(0)),
        ["product.sold"] = async app =>
        {
            var product = await app.ProductAsync();
            await app.OrderAsync((product, 1));
            return await app.DeleteAsync($"/products/{product}");
        },
        ["product.unknown"] = async app => await OrderAsync(app, await app.UserAsync(), 0),
        ["product.inactive"] = async app =>
            await OrderAsync(app, await app.UserAsync(), await app.ProductAsync(isActive: false)),
        ["product.sold_out"] = async app =>
            await OrderAsync(app, await app.UserAsync(), await app.ProductAsync(stock: 0)),
        ["product.stock_below_zero"] = app => MoveStockAsync(app, stock: 1, delta: -2),
        ["product.stock_too_large"] = app => MoveStockAsync(app, stock: 1, delta: int.MaxValue),
        ["stock.version_required"] = async app =>
            await app.PutAsync(
                $"/products/{await app.ProductAsync(stock: 1)}",
                ShopBuilder.ProductBody(await app.CategoryAsync(), stock: 2)),
        ["order.user_unknown"] = async app => await OrderAsync(app, 0, await app.ProductAsync()),
        ["order.user_inactive"] = async app =>
        {
            var user = await app.UserAsync();
            await app.PutAsync(
                $"/users/{user}",
                new { email = $"away{user}@example.com", firstName = "A", lastName = "B", isActive = false });
            return await OrderAsync(app, user, await app.ProductAsync());
        },
        ["order.status_refused"] = async app =>
            await app.PutAsync(
                $"/orders/{await app.OrderAsync((await app.ProductAsync(), 1))}", ShopBuilder.StatusBody("Delivered")),
        ["order.closed"] = async app =>
        {
            var order = await app.OrderAsync((await app.ProductAsync(), 1));
            await app.MoveOrderAsync(order, "Cancelled");
            return await app.PutAsync($"/orders/{order}", new { status = "Cancelled", shippingAddress = "Elsewhere" });
        },
        ["order.total_too_large"] = async app => await app.PostAsync(
            "/orders",
            ShopBuilder.OrderBody(
                await app.UserAsync(), (await app.ProductAsync(price: 9_999_999_999_999_999.99m), 2))),
        ["product.sku_taken"] = app => CreateTwiceAsync(app, "sku"),
        ["product.slug_taken"] = app => CreateTwiceAsync(app, "slug"),
        ["review.exists"] = async app =>
        {
            var (product, user) = (await app.ProductAsync(), await app.UserAsync());
            await app.ReviewAsync(product, user);
            return await app.PostAsync("/reviews", new { productId = product, userId = user, rating = 1 });
        },
        ["review.product_unknown"] = async app =>
            await app.PostAsync("/reviews", new { productId = 0, userId = await app.UserAsync(), rating = 1 }),
        ["review.user_unknown"] = async app =>
            await app.PostAsync("/reviews", new { productId = await app.ProductAsync(), userId = 0, rating = 1 }),
        ["user.email_taken"] = async app =>
        {
            (await app.PostAsync("/users", ShopBuilder.UserBody("twice@example.com"))).ShouldBeCreated("users");
            return await app.PostAsync("/users", ShopBuilder.UserBody("twice@example.com"));
        },
        ["user.has_orders"] = async app =>
        {
            var user = await app.UserAsync();
            await app.OrderOfAsync(user, (await app.ProductAsync(), 1));
            return await app.DeleteAsync($"/users/{user}");
        },
        ["user.has_open_orders"] = async app =>
        {
            var user = await app.UserAsync();
            await app.OrderOfAsync(user, (await app.ProductAsync(), 1));
            return await app.SendAsync(HttpMethod.Post, $"/users/{user}/erase", null);
        },
        ["user.erased"] = async app =>
        {
            var user = await app.UserAsync();
            (await app.SendAsync(HttpMethod.Post, $"/users/{user}/erase", null)).Status
                .ShouldBe(HttpStatusCode.NoContent);
            return await app.PutAsync($"/users/{user}", ShopBuilder.UserBody("back@example.com"));
        },
    };

    public static async Task<Answer> SendAsync(
        HttpClient client, HttpMethod method, string path, HttpContent? content = null, string? key = null)
    {
        using var request = new HttpRequestMessage(method, path) { Content = content };
        if (key is not null) request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
        using var response = await client.SendAsync(request);
        return await Answer.ReadAsync(response);
    }

    private static async Task<Answer> CreateTwiceAsync(CommandsApp app, string key)
    {
        var category = await app.CategoryAsync();
        var body = new Dictionary<string, object>
        {
            ["name"] = "Lamp", ["price"] = 1, ["stock"] = 1, ["categoryId"] = category, [key] = "twice",
        };
        (await app.PostAsync("/products", body)).ShouldBeCreated("products");
        return await app.PostAsync("/products", body);
    }

    private static Task<Answer> OrderAsync(CommandsApp app, int user, int product) =>
        app.PostAsync("/orders", ShopBuilder.OrderBody(user, (product, 1)));

    private static async Task<Answer> MoveStockAsync(CommandsApp app, int stock, int delta)
    {
        var category = await app.CategoryAsync();
        (await app.PostAsync("/products", ShopBuilder.ProductBody(category, stock))).ShouldBeCreated("products");
        return await app.SendAsync(
            HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId = category, delta });
    }
}
