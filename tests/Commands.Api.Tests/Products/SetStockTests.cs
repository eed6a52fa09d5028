using System.Net;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;

namespace ApexShop.Commands.Api.Tests.Products;

public sealed class SetStockTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("""{"stock":7}""", 7)]
    [InlineData("""{"stock":0}""", 0)]
    [InlineData("""{"delta":5}""", 15)]
    [InlineData("""{"delta":-10}""", 0)]
    [InlineData("""{"delta":2147483637}""", int.MaxValue)]
    public async Task Sets_the_stock_or_changes_it_by_a_delta(string body, int stock)
    {
        var id = await app.ProductAsync(stock: 10);

        (await app.PatchStockAsync(id, body)).ShouldBeReplaced(id, 2);

        var state = await app.ShouldHaveSaidAsync("products", id, "apexshop.product.stock-changed", 2);
        state.GetProperty("stock").GetInt32().ShouldBe(stock);
    }

    [Theory]
    [InlineData(-11, "product.stock_below_zero")]
    [InlineData(int.MinValue, "product.stock_below_zero")]
    [InlineData(int.MaxValue, "product.stock_too_large")]
    public async Task Refuses_a_delta_that_the_stock_cannot_take(int delta, string code)
    {
        var id = await app.ProductAsync(stock: 10);

        var answer = await app.PatchStockAsync(id, new { delta });

        answer.ShouldBeProblem(HttpStatusCode.Conflict, code);
        var product = answer.Body.GetProperty("products").EnumerateArray().ShouldHaveSingleItem();
        product.GetProperty("id").GetInt32().ShouldBe(id);
        product.GetProperty("stock").GetInt32().ShouldBe(10);
        (await app.StockAsync(id)).ShouldBe(10);
        (await app.OutboxAsync("products", id)).Count.ShouldBe(1);
    }

    [Fact]
    public async Task The_current_stock_changes_nothing()
    {
        var id = await app.ProductAsync(stock: 10);

        (await app.PatchStockAsync(id, new { stock = 10 })).ShouldBeReplaced(id, 1);

        (await app.OutboxAsync("products", id)).Count.ShouldBe(1);
    }

    [Theory]
    [InlineData("\"1\"", HttpStatusCode.OK)]
    [InlineData("*", HttpStatusCode.OK)]
    [InlineData("\"2\"", HttpStatusCode.PreconditionFailed)]
    [InlineData("\"no version\"", HttpStatusCode.PreconditionFailed)]
    public async Task Depends_on_the_version_in_If_Match(string ifMatch, HttpStatusCode status)
    {
        var id = await app.ProductAsync(stock: 10);

        var answer = await app.SendAsync(HttpMethod.Patch, $"/products/{id}/stock", new { delta = 5 }, ifMatch);

        answer.Status.ShouldBe(status);
        if (status != HttpStatusCode.OK) answer.ShouldBeProblem(status, "version.mismatch");
        (await app.StockAsync(id)).ShouldBe(status == HttpStatusCode.OK ? 15 : 10);
    }

    [Fact]
    public async Task A_delta_with_a_key_is_added_once()
    {
        var (id, key) = (await app.ProductAsync(stock: 10), Guid.NewGuid().ToString());

        var first = await PatchKeyedAsync(key, id, 5);
        await app.OrderAsync((id, 1));
        var again = await PatchKeyedAsync(key, id, 5);

        first.Answer.ShouldBeReplaced(id, 2);
        first.Token.ShouldNotBeNull();
        again.ShouldRepeat(first);
        (await app.StockAsync(id)).ShouldBe(14);
        (await PatchKeyedAsync(key, id, 6)).Answer
            .ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");
    }

    [Fact]
    public async Task The_same_key_with_another_If_Match_is_another_request()
    {
        var (id, key) = (await app.ProductAsync(stock: 10), Guid.NewGuid().ToString());
        using var http = app.ClientWith(CommandsApp.Key);
        http.DefaultRequestHeaders.Add("If-Match", "\"1\"");

        (await http.SendKeyedAsync(key, HttpMethod.Patch, $"/products/{id}/stock", new { delta = 5 })).Answer
            .ShouldBeReplaced(id, 2);

        (await PatchKeyedAsync(key, id, 5)).Answer
            .ShouldBeProblem(HttpStatusCode.UnprocessableEntity, "idempotency.key_reused");
        (await app.StockAsync(id)).ShouldBe(15);
    }

    [Fact]
    public async Task Concurrent_deltas_are_all_added_and_never_go_below_zero()
    {
        var id = await app.ProductAsync(stock: 20);

        var answers = await Task.WhenAll(
            Enumerable.Range(0, 32).Select(_ => app.PatchStockAsync(id, new { delta = -1 })));

        answers.Count(answer => answer.Status == HttpStatusCode.OK).ShouldBe(20);
        answers.Where(answer => answer.Status != HttpStatusCode.OK)
            .ShouldAllBe(answer => answer.Code == "product.stock_below_zero");
        (await app.StockAsync(id)).ShouldBe(0);
        (await app.OutboxAsync("products", id)).Select(said => said.Version)
            .ShouldBe(Enumerable.Range(1, 21).Select(version => (long)version));
    }

    [Theory]
    [InlineData("{}", "delta stock")]
    [InlineData("""{"stock":1,"delta":1}""", "delta stock")]
    [InlineData("""{"stock":-1}""", "stock")]
    [InlineData("""{"stock":2147483648}""", "stock")]
    [InlineData("""{"delta":0}""", "delta")]
    [InlineData("""{"delta":1.5}""", "delta")]
    [InlineData("""{"delta":1,"categoryId":1}""", "categoryId")]
    public async Task Refuses_a_body_by_what_is_wrong_with_it(string body, string members)
    {
        var answer = await app.PatchStockAsync(await app.ProductAsync(), body);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).Order()
            .ShouldBe(members.Split(' '));
    }

    [Fact]
    public async Task Does_not_find_what_is_not_there() => (await app.PatchStockAsync(int.MaxValue, new { stock = 1 }))
        .ShouldBeProblem(HttpStatusCode.NotFound, "product.not_found");

    private Task<KeyedResponse> PatchKeyedAsync(string key, int id, int delta) =>
        app.Http.SendKeyedAsync(key, HttpMethod.Patch, $"/products/{id}/stock", new { delta });
}
