using System.Net;

namespace ApexShop.Commands.Api.Tests.Orders;

public sealed class DeleteOldOrdersTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Deletes_earlier_deliveries_chunk_by_chunk_and_leaves_the_stock()
    {
        var (userId, productId) = (await app.UserAsync(), await app.ProductAsync());
        var old = await app.ManyOrdersAsync(userId, productId, 2_500, "Delivered", deliveredDaysAgo: 31);
        var recent = await app.ManyOrdersAsync(userId, productId, 3, "Delivered", deliveredDaysAgo: 29);
        var shipped = await app.ManyOrdersAsync(userId, productId, 3, "Shipped", deliveredDaysAgo: null);

        var answer = await app.DeleteAsync("/orders/bulk-delete-old?olderThanDays=30");

        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        answer.Body.GetProperty("deleted").GetInt32().ShouldBe(2_500);
        (await app.SaidGoneAsync("orders", old, 2_500)).ShouldBe(2_500);
        (await app.StatementsAsync("orders", old, 2_500)).ShouldBe("3 in 3");
        (await app.CountAsync("order_items", $"order_id >= {old} AND order_id < {old + 2_500}")).ShouldBe(0);
        (await app.CountAsync("orders", $"id IN ({recent}, {recent + 2}, {shipped}, {shipped + 2}) AND version = 1"))
            .ShouldBe(4);
        (await app.StockAsync(productId)).ShouldBe(10);
    }

    [Fact]
    public async Task Four_concurrent_requests_delete_and_count_each_order_once()
    {
        var (userId, productId) = (await app.UserAsync(), await app.ProductAsync());
        var old = await app.ManyOrdersAsync(userId, productId, 5_000, "Delivered", deliveredDaysAgo: 4_000);

        var answers = await Task.WhenAll(
            Enumerable.Range(0, 4).Select(_ => app.DeleteAsync("/orders/bulk-delete-old?olderThanDays=3000")));

        answers.ShouldAllBe(answer => answer.Status == HttpStatusCode.OK);
        answers.Sum(answer => answer.Body.GetProperty("deleted").GetInt32()).ShouldBe(5_000);
        (await app.SaidGoneAsync("orders", old, 5_000)).ShouldBe(5_000);
    }

    [Theory]
    [InlineData("/orders/bulk-delete-old", "olderThanDays")]
    [InlineData("/reviews/product/1/bulk-delete-old", "olderThanDays")]
    [InlineData("/users/bulk-deactivate-inactive", "inactiveDays")]
    public async Task Days_are_required_and_a_whole_number_from_1_to_36500(string path, string name)
    {
        var method = name == "inactiveDays" ? HttpMethod.Patch : HttpMethod.Delete;
        string[] queries =
        [
            "", "?", $"?{name}", $"?{name}=", .. Bad.Select(days => $"?{name}={days}"), $"?{name}=30&{name}=1",
        ];
        foreach (var query in queries)
        {
            var answer = await app.SendAsync(method, path + query, null);

            answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
            answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe([name], query);
        }

        (await app.SendAsync(method, $"{path}?{name}=36500", null))
            .Status.ShouldBeOneOf(HttpStatusCode.OK, HttpStatusCode.NotFound);
    }

    private static string[] Bad =>
        ["0", "-1", "36501", "2147483648", "99999999999999999999", "1.5", "abc", "1e2", "NaN", "0x10", "%00"];
}
