using System.Net;

namespace ApexShop.Commands.Api.Tests.Orders;

public sealed class DeleteOrderTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task An_order_that_reserves_stock_returns_it()
    {
        var productId = await app.ProductAsync(stock: 5);
        var id = await app.OrderAsync((productId, 2));

        (await app.DeleteAsync($"/orders/{id}", "\"1\"")).Status.ShouldBe(HttpStatusCode.NoContent);

        await app.ShouldBeGoneAsync("orders", id, "apexshop.order.deleted", 2);
        (await app.ScalarAsync<long>($"SELECT count(*) FROM shop.order_items WHERE order_id = {id}")).ShouldBe(0);
        (await app.ShouldHaveSaidAsync("products", productId, "apexshop.product.stock-changed", 3))
            .GetProperty("stock")
            .GetInt32()
            .ShouldBe(5);
    }

    [Theory]
    [InlineData(3, "Processing", "Shipped")]
    [InlineData(5, "Cancelled")]
    public async Task What_was_shipped_or_given_back_is_not_given_back_again(int stock, params string[] statuses)
    {
        var productId = await app.ProductAsync(stock: 5);
        var id = await app.OrderAsync((productId, 2));
        await app.MoveOrderAsync(id, statuses);

        (await app.DeleteAsync($"/orders/{id}")).Status.ShouldBe(HttpStatusCode.NoContent);

        (await app.StockAsync(productId)).ShouldBe(stock);
        (await app.DeleteAsync($"/orders/{id}")).ShouldBeProblem(HttpStatusCode.NotFound, "order.not_found");
    }
}
