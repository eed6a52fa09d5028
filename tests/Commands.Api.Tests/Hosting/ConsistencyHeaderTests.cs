using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Consistency;
using ApexShop.Events;
using ApexShop.Resources;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Hosting;

/// <summary>The token contains, for each resource, the last event that the command's transaction wrote.</summary>
public sealed class ConsistencyHeaderTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("categories")]
    [InlineData("products")]
    [InlineData("users")]
    [InlineData("orders")]
    [InlineData("reviews")]
    public async Task A_change_is_in_the_token_as_in_the_outbox(string resource)
    {
        var body = await BodyAsync(resource);

        var created = await ShouldNameItsLastEventsAsync(
            HttpMethod.Post, $"/{resource}", body, [.. CreatedTogether(resource)]);
        var id = created.Single(change => change.Resource == resource).Id;
        var replacement = resource switch
        {
            "orders" => ShopBuilder.StatusBody("Processing"),
            "reviews" => new { rating = 1 },
            "products" => ShopBuilder.ReplacementBody(await app.CategoryAsync()),
            "categories" => new { name = "Renamed" },
            _ => body,
        };
        await ShouldNameItsLastEventsAsync(HttpMethod.Put, $"/{resource}/{id}", replacement, resource);
        await ShouldNameItsLastEventsAsync(
            HttpMethod.Delete, $"/{resource}/{id}", null, [.. CreatedTogether(resource)]);
    }

    [Fact]
    public async Task The_token_of_an_order_of_many_products_has_the_last_product_and_the_order()
    {
        var products = new List<int>();
        for (var i = 0; i < 5; i++) products.Add(await app.ProductAsync());
        var items = products.AsEnumerable().Reverse().Select(id => (id, 1)).ToArray();

        var changes = await ShouldNameItsLastEventsAsync(
            HttpMethod.Post, "/orders", ShopBuilder.OrderBody(await app.UserAsync(), items), Resource.Products.Name,
            Resource.Orders.Name);

        changes.Single(change => change.Resource == Resource.Products.Name)
            .ShouldBe(new(Resource.Products.Name, products.Max(), 2));
        var order = changes.Single(change => change.Resource == Resource.Orders.Name).Id;
        await ShouldNameItsLastEventsAsync(
            HttpMethod.Put, $"/orders/{order}", ShopBuilder.StatusBody("Cancelled"), Resource.Products.Name,
            Resource.Orders.Name);
    }

    [Fact]
    public async Task Cascading_deletions_are_in_the_token_too()
    {
        var (product, user) = (await app.ProductAsync(), await app.UserAsync());
        for (var i = 0; i < 3; i++) await app.ReviewAsync(product, await app.UserAsync());
        for (var i = 0; i < 3; i++) await app.ReviewAsync(await app.ProductAsync(), user);

        await ShouldNameItsLastEventsAsync(
            HttpMethod.Delete, $"/products/{product}", null, Resource.Products.Name, Resource.Reviews.Name);
        await ShouldNameItsLastEventsAsync(
            HttpMethod.Delete, $"/users/{user}", null, Resource.Users.Name, Resource.Reviews.Name);
    }

    [Fact]
    public async Task A_set_based_change_is_in_the_token_with_its_last_event()
    {
        var category = await app.CategoryAsync();
        var bodies = Enumerable.Range(0, 7).Select(_ => ShopBuilder.ProductBody(category)).ToList();

        var created =
            await ShouldNameItsLastEventsAsync(HttpMethod.Post, "/products/bulk", bodies, Resource.Products.Name);
        await ShouldNameItsLastEventsAsync(
            HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId = category, delta = 1 },
            Resource.Products.Name);
        await app.ReviewAsync(created[0].Id, await app.UserAsync());
        await ShouldNameItsLastEventsAsync(
            HttpMethod.Delete, "/products/bulk", new[] { created[0].Id, created[0].Id - 1 }, Resource.Products.Name,
            Resource.Reviews.Name);
    }

    [Fact]
    public async Task A_command_that_changed_no_row_has_an_empty_token()
    {
        var category = await app.CategoryAsync();
        using var response = await SendAsync(
            HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId = category, delta = 1 });

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        TestKeys.Tokens.TryRead(response.Headers.GetValues(ConsistencyToken.Header).Single(), out var token)
            .ShouldBeTrue();
        token!.Changes.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_refused_command_has_no_token()
    {
        var (product, user) = (await app.ProductAsync(stock: 1), await app.UserAsync());
        await app.ReviewAsync(product, user);

        foreach (var (method, path, body, ifMatch) in new (HttpMethod, string, object?, string?)[]
        {
            (HttpMethod.Post, "/orders", ShopBuilder.OrderBody(user, (product, 2)), null),
            (HttpMethod.Post, "/orders", ShopBuilder.OrderBody(int.MaxValue, (product, 1)), null),
            (HttpMethod.Post, "/orders", new { }, null),
            (HttpMethod.Post, "/reviews", new { productId = product, userId = user, rating = 1 }, null),
            (HttpMethod.Put, $"/products/{int.MaxValue}", ShopBuilder.ProductBody(1), null),
            (HttpMethod.Put, $"/products/{product}", ShopBuilder.ProductBody(int.MaxValue), null),
            (HttpMethod.Delete, $"/products/{product}", null, "\"7\""),
        })
        {
            using var response = await SendAsync(method, path, body, ifMatch);
            ((int)response.StatusCode).ShouldBeInRange(400, 499);
            response.Headers.Contains(ConsistencyToken.Header).ShouldBeFalse($"{method} {path}");
        }
    }

    [Fact]
    public async Task Reading_gives_no_token()
    {
        using var response = await app.Http.GetAsync("/events?limit=1");

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        response.Headers.Contains(ConsistencyToken.Header).ShouldBeFalse();
    }

    [Theory]
    [InlineData(2)]
    [InlineData(2500)]
    public async Task Events_saved_together_are_in_the_outbox_in_the_order_in_which_they_were_added(int count)
    {
        await using var scope = app.Services.CreateAsyncScope();
        var (db, outbox) = (
            scope.ServiceProvider.GetRequiredService<ShopDbContext>(),
            scope.ServiceProvider.GetRequiredService<EventOutbox>());
        var ids = Enumerable.Range(1_000_000, count).ToArray();
        new Random(count).Shuffle(ids);
        foreach (var id in ids)
            outbox.Add(new DomainEvent(EventTypes.ReviewDeleted, Resource.Reviews.Name, new DeletedState(id, 2)));

        await db.SaveChangesAsync();

        (await app.ScalarAsync<int[]>("SELECT array_agg(aggregate_id ORDER BY id) FROM shop.outbox WHERE resource "
            + "= 'reviews' AND aggregate_id >= 1000000"))!
            .ShouldBe(ids);
        outbox.Token.Changes.ShouldBe([new(Resource.Reviews.Name, ids[^1], 2)]);
        await app.ScalarAsync<object>("DELETE FROM shop.outbox WHERE aggregate_id >= 1000000");
    }

    private async Task<IReadOnlyList<ConsistencyToken.Change>> ShouldNameItsLastEventsAsync(
        HttpMethod method, string path, object? body, params string[] resources)
    {
        var before = await app.ScalarAsync<long>("SELECT coalesce(max(id), 0) FROM shop.outbox");

        using var response = await SendAsync(method, path, body);

        response.IsSuccessStatusCode.ShouldBeTrue($"{method} {path}: {await response.Content.ReadAsStringAsync()}");
        TestKeys.Tokens.TryRead(response.Headers.GetValues(ConsistencyToken.Header).Single(), out var token)
            .ShouldBeTrue();
        var written = await LastOfTransactionAsync(before);
        token!.Changes.OrderBy(change => change.Resource).ShouldBe(written);
        written.Select(change => change.Resource).ShouldBe(resources.Order());
        return token.Changes;
    }

    // No other test writes to this database; the single transaction is verified anyway.
    private async Task<List<ConsistencyToken.Change>> LastOfTransactionAsync(long before)
    {
        await using var command = app.Superuser.CreateCommand(
            $"""
            SELECT DISTINCT ON (resource) resource, aggregate_id, version FROM shop.outbox
            WHERE id > {before} AND xmin = (SELECT xmin FROM shop.outbox ORDER BY id DESC LIMIT 1)
                ORDER BY resource, id DESC
            """);
        await using var reader = await command.ExecuteReaderAsync();
        var written = new List<ConsistencyToken.Change>();
        while (await reader.ReadAsync()) written.Add(new(reader.GetString(0), reader.GetInt32(1), reader.GetInt64(2)));
        return written;
    }

    private async Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string path, object? body, string? ifMatch = null)
    {
        using var request = new HttpRequestMessage(method, path)
        {
            Content = body is null ? null : JsonContent.Create(body),
        };
        if (ifMatch is not null) request.Headers.TryAddWithoutValidation("If-Match", ifMatch);
        return await app.Http.SendAsync(request);
    }

    private static IEnumerable<string> CreatedTogether(string resource) =>
        resource == Resource.Orders.Name ? [resource, Resource.Products.Name] : [resource];

    private async Task<object> BodyAsync(string resource) => resource switch
    {
        "categories" => new { name = "Lights" },
        "products" => ShopBuilder.ProductBody(await app.CategoryAsync()),
        "users" => ShopBuilder.UserBody(),
        "orders" => ShopBuilder.OrderBody(await app.UserAsync(), (await app.ProductAsync(), 2)),
        _ => new { productId = await app.ProductAsync(), userId = await app.UserAsync(), rating = 5 },
    };
}
