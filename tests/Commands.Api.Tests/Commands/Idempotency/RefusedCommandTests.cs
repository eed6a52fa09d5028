using System.Net;
using ApexShop.Access;

namespace ApexShop.Commands.Api.Tests.Commands.Idempotency;

/// <summary>A refusal is an answer too, unless the next attempt may fare better.</summary>
public sealed class RefusedCommandTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private readonly string key = Guid.NewGuid().ToString();

    [Fact]
    public async Task An_order_that_was_sold_out_stays_refused_with_new_stock()
    {
        var (plenty, scarce) = (
            await app.ProductAsync(stock: 100),
            await app.ProductAsync(stock: 1, name: "Rare \u00E9toile <&> \"lamp\""));
        var body = ShopBuilder.OrderBody(await app.UserAsync(), (plenty, 1), (scarce, 2));
        var first = await app.PostKeyedAsync(key, "/orders", body);
        first.Answer.ShouldBeProblem(HttpStatusCode.Conflict, "product.sold_out");
        (first.Replayed, first.Token).ShouldBe((false, null));
        await UntouchedAsync(plenty, stock: 100);

        await app.PatchStockAsync(scarce, new { stock = 50 });

        (await app.PostKeyedAsync(key, "/orders", body)).ShouldRepeatProblem(first);
        await UntouchedAsync(plenty, stock: 100);
        (await app.PostKeyedAsync(key + "2", "/orders", body)).Answer.ShouldBeCreated("orders");
    }

    [Fact]
    public async Task A_violated_constraint_stays_refused_and_writes_nothing()
    {
        var product = await app.ProductAsync(stock: 10);
        var body = ShopBuilder.OrderBody(int.MaxValue, (product, 3));
        var first = await app.PostKeyedAsync(key, "/orders", body);
        // The stock had been taken when the order itself was refused.
        first.Answer.ShouldBeProblem(HttpStatusCode.Conflict, "order.user_unknown");

        (await app.PostKeyedAsync(key, "/orders", body)).ShouldRepeatProblem(first);

        await UntouchedAsync(product, stock: 10);
        (await app.CountAsync("idempotency_keys AS k WHERE k.answer::text LIKE '%order.user_unknown%'")).ShouldBe(1);
    }

    [Fact]
    public async Task A_taken_email_stays_taken_for_this_key_after_its_user_is_deleted()
    {
        var (email, owner) = ($"{Guid.NewGuid():N}@example.com", 0);
        owner = (await app.PostAsync("/users", ShopBuilder.UserBody(email))).Id;
        var first = await app.PostKeyedAsync(key, "/users", ShopBuilder.UserBody(email.ToUpperInvariant()));
        first.Answer.ShouldBeProblem(HttpStatusCode.Conflict, "user.email_taken");
        await app.DeleteAsync($"/users/{owner}");

        (await app.PostKeyedAsync(key, "/users", ShopBuilder.UserBody(email.ToUpperInvariant())))
            .ShouldRepeatProblem(first);
        (await app.PostKeyedAsync(key, "/users", ShopBuilder.UserBody(email))).Answer
            .ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");

        (await app.CountAsync($"users WHERE lower(email) = '{email}'")).ShouldBe(0);
    }

    [Theory]
    [InlineData("/products/2147483647/stock", null, HttpStatusCode.NotFound, "product.not_found")]
    [InlineData("/products/{id}/stock", "\"7\"", HttpStatusCode.PreconditionFailed, "version.mismatch")]
    [InlineData("/products/{id}", null, HttpStatusCode.PreconditionRequired, "stock.version_required")]
    public async Task A_change_of_an_unknown_product_or_without_the_current_version_stays_refused(
        string path, string? version, HttpStatusCode status, string code)
    {
        var (product, body) = (await app.ProductAsync(stock: 10), new { stock = 3 });
        path = path.Replace("{id}", $"{product}", StringComparison.Ordinal);
        using var http = app.ClientWith(Scopes.CatalogWrite);
        if (version is not null) http.DefaultRequestHeaders.Add("If-Match", version);
        var first = await http.SendKeyedAsync(key, HttpMethod.Patch, path, body);
        first.Answer.ShouldBeProblem(status, code);
        first.Replayed.ShouldBeFalse();

        (await http.SendKeyedAsync(key, HttpMethod.Patch, path, body)).ShouldRepeatProblem(first);

        await UntouchedAsync(product, stock: 10);
    }

    [Theory]
    [InlineData("/categories", """{"name":""}""")]
    [InlineData("/categories", """{"name":"x","colour":"red"}""")]
    [InlineData("/categories", """{"name":""")]
    [InlineData("/users", """{"email":"no-password@example.com","firstName":"A","lastName":"B"}""")]
    [InlineData("/categories", """{"name":"\u0000"}""")]
    public async Task A_request_that_is_not_valid_does_not_use_up_its_key(string path, string json)
    {
        for (var i = 0; i < 2; i++)
        {
            var refused = await app.SendTextAsync(key, path, json);
            refused.Answer.Status.ShouldBe(HttpStatusCode.BadRequest, refused.Answer.Text);
            refused.Replayed.ShouldBeFalse();
        }

        (await app.PostKeyedAsync(key, "/categories", new { name = "Valid" })).Answer.ShouldBeCreated("categories");
    }

    [Theory]
    [InlineData("P0001", HttpStatusCode.InternalServerError, "internal")]
    [InlineData("40P01", HttpStatusCode.Conflict, "version.overtaken")]
    [InlineData("40001", HttpStatusCode.Conflict, "version.overtaken")]
    [InlineData("57P01", HttpStatusCode.ServiceUnavailable, "database.unavailable")]
    [InlineData("53300", HttpStatusCode.ServiceUnavailable, "database.unavailable")]
    public async Task A_failure_of_the_moment_is_no_answer(string state, HttpStatusCode status, string code)
    {
        var body = ShopBuilder.OrderBody(await app.UserAsync(), (await app.ProductAsync(), 1));
        await app.ScalarAsync<object>($"""
            CREATE OR REPLACE FUNCTION shop.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'
                USING ERRCODE = '{state}'; END $$;
            CREATE TRIGGER fail BEFORE INSERT ON shop.orders EXECUTE FUNCTION shop.fail();
            """);
        var before = await app.CountAsync("idempotency_keys");
        try
        {
            (await app.PostKeyedAsync(key, "/orders", body)).Answer.ShouldBeProblem(status, code);
            (await app.CountAsync("idempotency_keys")).ShouldBe(before);
        }
        finally
        {
            await app.ScalarAsync<object>("DROP TRIGGER fail ON shop.orders");
        }

        var second = await app.PostKeyedAsync(key, "/orders", body);
        second.Answer.ShouldBeCreated("orders");
        second.Replayed.ShouldBeFalse();
    }

    [Fact]
    public async Task A_response_that_cannot_be_stored_rolls_back_the_change()
    {
        var (category, product) = (await app.CategoryAsync(), await app.CountAsync("products"));
        await app.ScalarAsync<object>("""
            CREATE OR REPLACE FUNCTION shop.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
            CREATE TRIGGER fail BEFORE INSERT ON shop.idempotency_keys EXECUTE FUNCTION shop.fail();
            """);
        try
        {
            (await app.PostKeyedAsync(key, "/products", ShopBuilder.ProductBody(category))).Answer
                .ShouldBeProblem(HttpStatusCode.InternalServerError, "internal");
        }
        finally
        {
            await app.ScalarAsync<object>("DROP TRIGGER fail ON shop.idempotency_keys");
        }

        (await app.CountAsync("products")).ShouldBe(product);
        (await app.CountAsync($"outbox WHERE data::text LIKE '%\"categoryId\":{category},%'")).ShouldBe(0);
    }

    private async Task UntouchedAsync(int product, int stock)
    {
        (await app.StockAsync(product)).ShouldBe(stock);
        (await app.VersionAsync("products", product)).ShouldBe(1);
        (await app.OutboxAsync("products", product)).ShouldHaveSingleItem();
    }
}
