using System.Net;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Bulk;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;

namespace ApexShop.Commands.Api.Tests.Products;

/// <summary>A replacement takes another stock only with the version of the product.</summary>
public sealed class StockVersionTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_body_that_is_sent_again_does_not_give_sold_stock_back()
    {
        var (category, user) = (await app.CategoryAsync(), await app.UserAsync());
        var body = ShopBuilder.ProductBody(category, stock: 5);
        var id = (await app.PostAsync("/products", body)).Id;
        await app.OrderOfAsync(user, (id, 5));

        var answer = await app.PutAsync($"/products/{id}", body);

        answer.ShouldBeProblem(HttpStatusCode.PreconditionRequired, "stock.version_required");
        answer.Body.GetProperty("stock").GetInt32().ShouldBe(0);
        answer.Body.GetProperty("version").GetInt64().ShouldBe(2);
        answer.Body.GetProperty("detail").GetString()!.ShouldContain($"PATCH /products/{id}/stock");
        (await app.PostAsync("/orders", ShopBuilder.OrderBody(user, (id, 5))))
            .ShouldBeProblem(HttpStatusCode.Conflict, "product.sold_out");
        (await app.StockAsync(id)).ShouldBe(0);
        (await app.OutboxAsync("products", id)).Count.ShouldBe(2);
    }

    [Fact]
    public async Task A_replacement_without_a_stock_keeps_the_current_one()
    {
        var (id, category) = (await app.ProductAsync(stock: 5), await app.CategoryAsync());
        await app.OrderAsync((id, 2));

        (await app.PutAsync($"/products/{id}", ShopBuilder.ReplacementBody(category, price: 3)))
            .ShouldBeReplaced(id, 3);
        (await app.PutAsync($"/products/{id}", $$"""{"name":"x","price":3,"stock":null,"categoryId":{{category}}}"""))
            .ShouldBeReplaced(id, 4);

        var state = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.updated", 4);
        state.GetProperty("stock").GetInt32().ShouldBe(3);
    }

    [Fact]
    public async Task The_current_stock_needs_no_version()
    {
        var (id, category) = (await app.ProductAsync(stock: 5), await app.CategoryAsync());
        await app.OrderAsync((id, 2));

        (await app.PutAsync($"/products/{id}", ShopBuilder.ProductBody(category, stock: 3, price: 1)))
            .ShouldBeReplaced(id, 3);
    }

    [Theory]
    [InlineData("\"2\"", HttpStatusCode.OK)]
    [InlineData("\"2.1.77\"", HttpStatusCode.OK)]
    [InlineData("\"1\"", HttpStatusCode.PreconditionFailed)]
    [InlineData("*", HttpStatusCode.PreconditionRequired)]
    public async Task Another_stock_needs_the_version_itself(string ifMatch, HttpStatusCode status)
    {
        var (id, category) = (await app.ProductAsync(stock: 5), await app.CategoryAsync());
        await app.OrderAsync((id, 2));

        var answer = await app.PutAsync($"/products/{id}", ShopBuilder.ProductBody(category, stock: 9), ifMatch);

        answer.Status.ShouldBe(status, answer.Text);
        (await app.StockAsync(id)).ShouldBe(status == HttpStatusCode.OK ? 9 : 3);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("\"1\"")]
    [InlineData("*")]
    public async Task A_replacement_with_the_current_values_changes_nothing(string? ifMatch)
    {
        var body = ShopBuilder.ProductBody(await app.CategoryAsync());
        var id = (await app.PostAsync("/products", body)).Id;

        (await app.PutAsync($"/products/{id}", body, ifMatch)).ShouldBeReplaced(id, 1);

        await app.ShouldHaveSaidAsync("products", id, "apexshop.product.created", 1);
        (await app.OutboxAsync("products", id)).Count.ShouldBe(1);
    }

    [Fact]
    public async Task A_repeated_replacement_has_the_same_token()
    {
        var (id, body) = (await app.ProductAsync(), ShopBuilder.ReplacementBody(await app.CategoryAsync()));

        var first = await app.Http.SendKeyedAsync("first", HttpMethod.Put, $"/products/{id}", body);
        var again = await app.Http.SendKeyedAsync("again", HttpMethod.Put, $"/products/{id}", body);

        first.Token.ShouldNotBeNull();
        again.ShouldBe(first);
    }

    [Fact]
    public async Task In_a_list_another_stock_needs_the_version_of_its_item()
    {
        var (category, ids) = await app.ProductsAsync(4);
        await app.OrderAsync((ids[1], 4));

        var refused = await PutAsync(
            Item(ids[0], category, stock: 10), Item(ids[1], category, stock: 10), Item(ids[2], category));

        var problem = refused[0].GetProperty("problem");
        problem.GetProperty("status").GetInt32().ShouldBe(428);
        problem.GetProperty("code").GetString().ShouldBe("stock.version_required");
        var error = problem.GetProperty("errors").EnumerateObject().ShouldHaveSingleItem();
        error.Name.ShouldBe("[1].version");
        error.Value[0].GetString().ShouldBe("The stock is 6 at version 2.");
        var version = problem.GetProperty("current").EnumerateArray().ShouldHaveSingleItem();
        (version.GetProperty("id").GetInt32(), version.GetProperty("version").GetInt64()).ShouldBe((ids[1], 2));
        var stock = problem.GetProperty("products").EnumerateArray().ShouldHaveSingleItem();
        (stock.GetProperty("id").GetInt32(), stock.GetProperty("stock").GetInt32()).ShouldBe((ids[1], 6));
        (await app.StockAsync(ids[1])).ShouldBe(6);
        (await app.VersionAsync("products", ids[2])).ShouldBe(1);

        var accepted = await PutAsync(
            Item(ids[0], category), Item(ids[1], category, stock: 12, version: 2), Item(ids[3], category, stock: 10));

        Versions(accepted[0]).ShouldBe([2L, 3L, 2L]);
        (await app.StockAsync(ids[0])).ShouldBe(10);
        (await app.StockAsync(ids[1])).ShouldBe(12);
        await app.ShouldHaveSaidAsync("products", ids[1], "apexshop.product.updated", 3);
    }

    [Fact]
    public async Task In_a_list_only_items_with_other_values_change()
    {
        var (category, ids) = await app.ProductsAsync(3);
        object[] items = [Item(ids[2], category), Item(ids[0], category)];
        var first = await PutAsync(items);
        var before = await app.ScalarAsync<long>("SELECT max(id) FROM shop.outbox");

        var again = await PutAsync(items);
        (await app.ScalarAsync<long>("SELECT max(id) FROM shop.outbox")).ShouldBe(before);
        var mixed = await PutAsync([.. items, Item(ids[1], category)]);

        again.Select(line => line.GetRawText()).ShouldBe(first.Select(line => line.GetRawText()));
        Versions(mixed[0]).ShouldBe([2L, 2L, 2L]);
        await app.ShouldAllHaveSaidAsync("products", ids, "apexshop.product.updated", 2);
    }

    [Fact]
    public async Task No_interleaving_of_replacements_and_orders_loses_stock()
    {
        const int Initial = 60;
        var seed = Random.Shared.Next();
        var (id, user, category) =
            (await app.ProductAsync(stock: Initial), await app.UserAsync(), await app.CategoryAsync());
        var writers = await Task.WhenAll(Enumerable.Range(0, 16).Select(async writer =>
        {
            var (random, change) = (new Random(seed + writer), 0);
            for (var i = 0; i < 12; i++) change += await ChangeAsync(id, user, category, random);
            return change;
        }));

        (await app.StockAsync(id)).ShouldBe(Initial + writers.Sum(), $"seed {seed}");
    }

    /// <summary>Sends one command and returns by how much it has changed the stock.</summary>
    private async Task<int> ChangeAsync(int id, int user, int category, Random random)
    {
        var read = (await app.ScalarAsync<long[]>(
            $"SELECT ARRAY[stock::bigint, version] FROM shop.products WHERE id = {id}"))!;
        var (stock, version, price) = ((int)read[0], read[1], random.Next(1, 9));
        switch (random.Next(6))
        {
            case 0 or 1:
                var order = await app.PostAsync("/orders", ShopBuilder.OrderBody(user, (id, 1)));
                return order.Status == HttpStatusCode.Created ? -1 : 0;
            case 2:
                await app.PutAsync($"/products/{id}", ShopBuilder.ProductBody(category, stock, price));
                return 0;
            case 3:
                var body = ShopBuilder.ProductBody(category, stock + 1, price);
                var replaced = await app.PutAsync($"/products/{id}", body, $"\"{version}\"");
                return replaced.Status == HttpStatusCode.OK ? 1 : 0;
            case 4:
                var hasVersion = random.Next(2) == 0;
                var added = hasVersion ? 2 : 0;
                var lines = await PutAsync(
                    Item(id, category, price, stock + added, hasVersion ? version : null));
                return lines[^1].GetProperty("updated").GetInt32() * added;
            default:
                var moved = await app.PatchStockAsync(id, new { delta = 1 });
                return moved.Status == HttpStatusCode.OK ? 1 : 0;
        }
    }

    private static object Item(int id, int categoryId, decimal price = 3, int? stock = null, long? version = null) =>
        new { id, name = "New", price, stock, categoryId, version };

    private static IEnumerable<long> Versions(JsonElement line) =>
        line.GetProperty("items").EnumerateArray().Select(item => item.GetProperty("version").GetInt64());

    private async Task<List<JsonElement>> PutAsync(params object[] items) =>
        BulkUpdateProductsTests.Lines(await app.PutAsync("/products/bulk", items));
}
