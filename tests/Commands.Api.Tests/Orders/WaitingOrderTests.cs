using System.Net;
using ApexShop.Commands.Api.Tests.Concurrency;

namespace ApexShop.Commands.Api.Tests.Orders;

/// <summary>An order that waits for a product takes its quantity from the stock after the wait.</summary>
public sealed class WaitingOrderTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task What_has_arrived_meanwhile_is_sold()
    {
        var (order, productId) = await OrderDuringAsync(stock: 0, next: 4);

        order.Status.ShouldBe(HttpStatusCode.Created);
        (await app.StockAsync(productId)).ShouldBe(1);
        (await app.VersionAsync("products", productId)).ShouldBe(3);
        (await app.OutboxAsync("products", productId)).Last().Version.ShouldBe(3);
    }

    [Fact]
    public async Task What_was_sold_meanwhile_is_sold_out()
    {
        var (order, productId) = await OrderDuringAsync(stock: 4, next: 2);

        order.ShouldBeProblem(HttpStatusCode.Conflict, "product.sold_out");
        (await app.StockAsync(productId)).ShouldBe(2);
        (await app.VersionAsync("products", productId)).ShouldBe(2);
    }

    // An order of three pieces and of one of a product with enough, while the stock of the first becomes another one.
    private async Task<(Answer Order, int ProductId)> OrderDuringAsync(int stock, int next)
    {
        var (changed, enough) = (await app.ProductAsync(stock: stock), await app.ProductAsync(stock: 10));
        var user = await app.UserAsync();
        await using var held = await HeldRow.LockAsync(app, "products", changed);
        await held.ExecuteAsync($"UPDATE shop.products SET stock = {next}, version = version + 1 WHERE id = {changed}");
        var order = app.PostAsync("/orders", ShopBuilder.OrderBody(user, (enough, 1), (changed, 3)));
        await held.WaitedForByAsync(1);
        await held.CommitAsync();
        return (await order, changed);
    }
}
