using System.Net;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Access;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Tests.Commands.Idempotency;

public sealed class RepeatedCommandTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly string[] tables = [.. Resource.Names, "outbox", "idempotency_keys"];

    [Theory]
    [InlineData("categories")]
    [InlineData("products")]
    [InlineData("users")]
    [InlineData("orders")]
    [InlineData("reviews")]
    public async Task The_first_response_is_sent_again_and_nothing_is_executed_again(string resource)
    {
        var body = await BodyAsync(resource);
        var key = Guid.NewGuid().ToString();
        var first = await app.PostKeyedAsync(key, $"/{resource}", body);
        first.Answer.ShouldBeCreated(resource);
        first.Replayed.ShouldBeFalse();
        first.Token.ShouldNotBeNull();
        (await app.OutboxAsync(resource, first.Answer.Id)).ShouldHaveSingleItem();
        var before = await CountsAsync();

        for (var i = 0; i < 3; i++) (await app.PostKeyedAsync(key, $"/{resource}", body)).ShouldRepeat(first);

        (await CountsAsync()).ShouldBe(before);
    }

    [Fact]
    public async Task A_thousand_products_are_created_once()
    {
        var category = await app.CategoryAsync();
        var (key, body) = (
            Guid.NewGuid().ToString(),
            Enumerable.Range(0, 1000).Select(i => ShopBuilder.ProductBody(category, name: $"Lamp {i}")).ToList());
        var first = await app.PostKeyedAsync(key, "/products/bulk", body);
        first.Answer.Status.ShouldBe(HttpStatusCode.Created, first.Answer.Text);
        var before = await CountsAsync();

        (await app.PostKeyedAsync(key, "/products/bulk", body)).ShouldRepeat(first);
        (await app.PostKeyedAsync(key, "/products/bulk", body[1..])).Answer.ShouldBeProblem(
            HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");

        (await CountsAsync()).ShouldBe(before);
        (await app.CountAsync($"products WHERE category_id = {category}")).ShouldBe(1000);
    }

    [Fact]
    public async Task A_bulk_that_a_constraint_refuses_half_way_leaves_its_answer_alone()
    {
        var (email, key) = ($"{Guid.NewGuid():N}@example.com", Guid.NewGuid().ToString());
        var body = new[] { ShopBuilder.UserBody(), ShopBuilder.UserBody(email), ShopBuilder.UserBody() };
        await app.PostAsync("/users", ShopBuilder.UserBody(email));
        var before = await app.CountAsync("users");

        var first = await app.PostKeyedAsync(key, "/users/bulk", body);
        first.Answer.Status.ShouldBe(HttpStatusCode.Conflict, first.Answer.Text);

        (await app.PostKeyedAsync(key, "/users/bulk", body)).ShouldRepeatProblem(first);
        (await app.CountAsync("users")).ShouldBe(before);
    }

    [Fact]
    public async Task A_category_gets_its_delta_once()
    {
        var (product, key) = (await app.ProductAsync(stock: 10), Guid.NewGuid().ToString());
        var categoryId = await app.ScalarAsync<int>($"SELECT category_id FROM shop.products WHERE id = {product}");
        const string path = "/products/bulk-update-stock";
        var first = await app.Http.SendKeyedAsync(key, HttpMethod.Patch, path, new { categoryId, delta = 5 });
        first.Answer.Status.ShouldBe(HttpStatusCode.OK, first.Answer.Text);

        (await app.Http.SendKeyedAsync(key, HttpMethod.Patch, path, new { categoryId, delta = 5 }))
            .ShouldRepeat(first);
        (await app.Http.SendKeyedAsync(key, HttpMethod.Patch, path, new { categoryId, stock = 5 })).Answer
            .ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");

        (await app.StockAsync(product)).ShouldBe(15);
        (await app.VersionAsync("products", product)).ShouldBe(2);
    }

    [Fact]
    public async Task The_query_string_is_part_of_the_request()
    {
        var key = Guid.NewGuid().ToString();
        const string path = "/users/bulk-deactivate-inactive?inactiveDays=";
        var first = await app.Http.SendKeyedAsync(key, HttpMethod.Patch, path + "30000", new { });
        first.Answer.Status.ShouldBe(HttpStatusCode.OK, first.Answer.Text);

        (await app.Http.SendKeyedAsync(key, HttpMethod.Patch, path + "30000", new { })).ShouldRepeat(first);
        (await app.Http.SendKeyedAsync(key, HttpMethod.Patch, path + "30001", new { })).Answer
            .ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");
    }

    [Fact]
    public async Task Without_a_key_or_with_another_one_it_is_another_command()
    {
        var body = await BodyAsync("products");
        var first = await app.PostKeyedAsync(Guid.NewGuid().ToString(), "/products", body);

        var second = await app.PostKeyedAsync(Guid.NewGuid().ToString(), "/products", body);
        var third = await app.PostAsync("/products", body);

        second.Replayed.ShouldBeFalse();
        new[] { first.Answer.Id, second.Answer.Id, third.Id }.Distinct().Count().ShouldBe(3);
    }

    [Fact]
    public async Task The_response_is_the_same_after_later_changes_of_the_row()
    {
        var (key, body) = (Guid.NewGuid().ToString(), await BodyAsync("products"));
        var first = await app.PostKeyedAsync(key, "/products", body);
        var replacement = ShopBuilder.ReplacementBody(await app.CategoryAsync());
        (await app.PutAsync($"/products/{first.Answer.Id}", replacement)).ShouldBeReplaced(first.Answer.Id, 2);
        (await app.PostKeyedAsync(key, "/products", body)).ShouldRepeat(first);
        (await app.DeleteAsync($"/products/{first.Answer.Id}")).Status.ShouldBe(HttpStatusCode.NoContent);

        (await app.PostKeyedAsync(key, "/products", body)).ShouldRepeat(first);

        (await app.CountAsync($"products WHERE id = {first.Answer.Id}")).ShouldBe(0);
    }

    [Fact]
    public async Task Blanks_and_the_order_of_members_make_no_other_body()
    {
        var (key, category) = (Guid.NewGuid().ToString(), await app.CategoryAsync());
        var first = await app.SendTextAsync(
            key, "/products", $$"""{"name":"Lamp","price":1.50,"stock":1,"categoryId":{{category}}}""");

        var second = await app.SendTextAsync(
            key, "/products", $$""" {"categoryId": {{category}}, "stock": 1, "price": 1.50, "name": "\u004Camp"} """);

        second.ShouldRepeat(first);
    }

    [Fact]
    public async Task Another_body_is_refused_and_does_not_harm_the_first()
    {
        var (key, category) = (Guid.NewGuid().ToString(), await app.CategoryAsync());
        var first = await app.PostKeyedAsync(key, "/products", ShopBuilder.ProductBody(category, name: "Lamp"));
        var before = await CountsAsync();

        foreach (var other in new[]
        {
            ShopBuilder.ProductBody(category, name: "lamp"), ShopBuilder.ProductBody(category, stock: 11),
            ShopBuilder.ProductBody(category, isActive: false),
        })
        {
            var refused = await app.PostKeyedAsync(key, "/products", other);
            refused.Answer.ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");
            (refused.Replayed, refused.Token).ShouldBe((false, null));
        }

        (await CountsAsync()).ShouldBe(before);
        (await app.PostKeyedAsync(key, "/products", ShopBuilder.ProductBody(category, name: "Lamp")))
            .ShouldRepeat(first);
    }

    [Fact]
    public async Task The_same_body_at_another_endpoint_is_another_request()
    {
        var key = Guid.NewGuid().ToString();
        (await app.PostKeyedAsync(key, "/categories", new { name = "Lights" })).Answer.ShouldBeCreated("categories");

        (await app.PostKeyedAsync(key, "/products", await BodyAsync("products"))).Answer
            .ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");
        (await app.PostKeyedAsync(key, "/users", ShopBuilder.UserBody())).Answer
            .ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");
    }

    [Fact]
    public async Task Another_caller_may_have_the_same_key()
    {
        using var other = app.ClientWith(Scopes.CatalogWrite);
        var (key, body) = (Guid.NewGuid().ToString(), await BodyAsync("products"));
        var mine = await app.PostKeyedAsync(key, "/products", body);

        var theirs = await other.SendKeyedAsync(key, HttpMethod.Post, "/products", body);
        var different =
            await other.SendKeyedAsync(key + "2", HttpMethod.Post, "/products", await BodyAsync("products"));

        theirs.Replayed.ShouldBeFalse();
        theirs.Answer.ShouldBeCreated("products");
        theirs.Answer.Id.ShouldNotBe(mine.Answer.Id);
        different.Answer.ShouldBeCreated("products");
        (await app.PostKeyedAsync(key, "/products", body)).ShouldRepeat(mine);
        (await other.SendKeyedAsync(key, HttpMethod.Post, "/products", body)).ShouldRepeat(theirs);
    }

    [Fact]
    public async Task Keys_of_the_same_name_are_one_caller()
    {
        await using var own = CommandsApp.Start(app.Database.Commands, [.. Key(20, "old"), .. Key(21, "new")]);
        using var old = CommandsApp.Client(own, "old");
        using var replacement = CommandsApp.Client(own, "new");
        var (key, body) = (Guid.NewGuid().ToString(), await BodyAsync("products"));
        var first = await old.SendKeyedAsync(key, HttpMethod.Post, "/products", body);
        first.Answer.ShouldBeCreated("products");

        (await replacement.SendKeyedAsync(key, HttpMethod.Post, "/products", body)).ShouldRepeat(first);

        static (string, string)[] Key(int index, string key) =>
        [
            ($"Access:Keys:{index}:Name", "back office"),
            ($"Access:Keys:{index}:Sha256", Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)))),
            ($"Access:Keys:{index}:Scopes:0", Scopes.CatalogWrite),
        ];
    }

    [Fact]
    public async Task Neither_the_key_nor_the_request_can_be_read_from_the_table()
    {
        const string key = "a-key-that-no-log-shows";
        await app.PostKeyedAsync(key, "/users", ShopBuilder.UserBody("secret.person@example.com"));

        var rows = await app.ScalarAsync<string>(
            "SELECT string_agg(k::text || encode(key_hash, 'escape') || encode(request_hash, 'escape'), ' ') FROM "
            + "shop.idempotency_keys AS k");

        foreach (var secret in new[] { key, "secret.person", "Lovelace", "correct horse" })
            rows!.ShouldNotContain(secret);
    }

    private async Task<object> BodyAsync(string resource) => resource switch
    {
        "categories" => new { name = "Lights" },
        "products" => ShopBuilder.ProductBody(await app.CategoryAsync()),
        "users" => ShopBuilder.UserBody(),
        "orders" =>
            ShopBuilder.OrderBody(await app.UserAsync(), (await app.ProductAsync(), 2), (await app.ProductAsync(), 1)),
        _ => new { productId = await app.ProductAsync(), userId = await app.UserAsync(), rating = 5 },
    };

    private async Task<string> CountsAsync()
    {
        var counts = new List<string>();
        foreach (var table in tables) counts.Add($"{table} {await app.CountAsync(table)}");
        return string.Join(", ", counts);
    }
}
