using System.Net;

namespace ApexShop.Commands.Api.Tests.Products;

public sealed class SetStockByCategoryTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const int Many = 15_000;

    [Fact]
    public async Task Fifteen_thousand_products_change_in_one_transaction_by_one_statement_a_thousand()
    {
        var categoryId = await app.CategoryAsync();
        var first = await app.ManyProductsAsync(categoryId, Many);

        var answer = await PatchAsync(new { categoryId, stock = 7 });

        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        answer.Body.GetProperty("changed").GetInt32().ShouldBe(Many);
        (await app.CountAsync("products", $"category_id = {categoryId} AND stock = 7 AND version = 2 AND "
            + "updated_date IS NOT NULL"))
            .ShouldBe(Many);
        (await app.SaidAsTheyAreAsync("products", "apexshop.product.stock-changed", $"category_id = {categoryId}"))
            .ShouldBe(Many);
        (await app.StatementsAsync("products", first, Many)).ShouldBe("15 in 1");
    }

    [Fact]
    public async Task A_delta_moves_each_from_where_it_is_and_other_categories_stay()
    {
        var (categoryId, other) = (await app.CategoryAsync(), await app.ProductAsync());
        var few = await app.ManyProductsAsync(categoryId, 3, stock: 5);
        var plenty = await app.ManyProductsAsync(categoryId, 3, stock: 100);

        (await PatchAsync(new { categoryId, delta = -5 })).Body.GetProperty("changed").GetInt32().ShouldBe(6);

        (await app.StockAsync(few)).ShouldBe(0);
        (await app.StockAsync(plenty)).ShouldBe(95);
        (await app.StockAsync(other)).ShouldBe(10);
        await app.ShouldHaveSaidAsync("products", plenty, "apexshop.product.stock-changed", 2);
    }

    [Fact]
    public async Task What_has_the_stock_already_gets_no_new_version()
    {
        var categoryId = await app.CategoryAsync();
        var same = await app.ManyProductsAsync(categoryId, 2, stock: 7);
        var other = await app.ManyProductsAsync(categoryId, 2, stock: 8);

        (await PatchAsync(new { categoryId, stock = 7 })).Body.GetProperty("changed").GetInt32().ShouldBe(2);
        (await PatchAsync(new { categoryId, stock = 7 })).Body.GetProperty("changed").GetInt32().ShouldBe(0);

        (await app.VersionAsync("products", same)).ShouldBe(1);
        (await app.OutboxAsync("products", same)).ShouldBeEmpty();
        (await app.VersionAsync("products", other)).ShouldBe(2);
    }

    [Theory]
    [InlineData(0, -1, "product.stock_below_zero")]
    [InlineData(2, -3, "product.stock_below_zero")]
    [InlineData(int.MaxValue, int.MinValue, "product.stock_below_zero")]
    [InlineData(int.MaxValue, 1, "product.stock_too_large")]
    [InlineData(1, int.MaxValue, "product.stock_too_large")]
    public async Task One_product_that_cannot_take_the_delta_is_named_and_keeps_all_from_changing(
        int stock, int delta, string code)
    {
        var categoryId = await app.CategoryAsync();
        var others = await app.ManyProductsAsync(categoryId, 1_500, stock: delta < 0 && delta != int.MinValue ? 10 : 0);
        if (delta == int.MinValue)
            await app.ScalarAsync<object>(
                $"UPDATE shop.products SET stock = {int.MaxValue} WHERE category_id = {categoryId}");
        var last = await app.ManyProductsAsync(categoryId, 1, stock);

        var answer = await PatchAsync(new { categoryId, delta });

        answer.ShouldBeProblem(HttpStatusCode.Conflict, code);
        if (delta != int.MinValue)
        {
            var named = answer.Body.GetProperty("products").EnumerateArray().ShouldHaveSingleItem();
            named.GetProperty("id").GetInt32().ShouldBe(last);
            named.GetProperty("name").GetString().ShouldBe($"Lamp {last}");
            named.GetProperty("stock").GetInt32().ShouldBe(stock);
        }

        (await app.CountAsync("products", $"category_id = {categoryId} AND version = 1")).ShouldBe(1_501);
        (await app.CountAsync("outbox", $"resource = 'products' AND aggregate_id IN ({others}, {last})")).ShouldBe(0);
    }

    [Fact]
    public async Task Stock_may_be_the_largest_int()
    {
        var categoryId = await app.CategoryAsync();
        var id = await app.ManyProductsAsync(categoryId, 1, stock: 0);

        (await PatchAsync(new { categoryId, delta = int.MaxValue })).Status.ShouldBe(HttpStatusCode.OK);
        (await app.StockAsync(id)).ShouldBe(int.MaxValue);
        (await PatchAsync(new { categoryId, delta = -int.MaxValue })).Status.ShouldBe(HttpStatusCode.OK);
        (await app.StockAsync(id)).ShouldBe(0);
    }

    [Theory]
    [InlineData("""{"stock":1}""", "categoryId")]
    [InlineData("""{"categoryId":1}""", "delta stock")]
    [InlineData("""{"categoryId":1,"stock":1,"delta":1}""", "delta stock")]
    [InlineData("""{"categoryId":1,"stock":null,"delta":null}""", "delta stock")]
    [InlineData("""{"categoryId":1,"stock":-1}""", "stock")]
    [InlineData("""{"categoryId":1,"stock":2147483648}""", "stock")]
    [InlineData("""{"categoryId":1,"delta":0}""", "delta")]
    [InlineData("""{"categoryId":1,"delta":1.5}""", "delta")]
    [InlineData("""{"categoryId":1,"delta":-2147483649}""", "delta")]
    [InlineData("""{"categoryId":1,"delta":1,"price":1}""", "price")]
    [InlineData("""[{"categoryId":1,"delta":1}]""", "$")]
    public async Task Refuses_a_body_by_what_is_wrong_with_it(string body, string members)
    {
        var answer = await PatchAsync(body);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors")
            .EnumerateObject()
            .Select(error => error.Name)
            .Order()
            .ShouldBe(members.Split(' '));
    }

    [Fact]
    public async Task Refuses_a_category_that_does_not_exist_and_does_nothing_in_an_empty_one()
    {
        (await PatchAsync(new { categoryId = int.MaxValue, stock = 1 }))
            .ShouldBeProblem(HttpStatusCode.Conflict, "product.category_unknown");
        (await PatchAsync(new { categoryId = await app.CategoryAsync(), delta = 1 })).Body.GetProperty("changed")
            .GetInt32()
            .ShouldBe(0);
    }

    private Task<Answer> PatchAsync(object body) =>
        app.SendAsync(HttpMethod.Patch, "/products/bulk-update-stock", body);
}
