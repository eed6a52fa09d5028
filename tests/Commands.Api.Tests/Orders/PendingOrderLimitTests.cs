using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using Microsoft.AspNetCore.Mvc.Testing;

namespace ApexShop.Commands.Api.Tests.Orders;

/// <summary>
/// A customer may have two Pending orders with a deadline in this process, each with three pieces of a product.
/// </summary>
public sealed class PendingOrderLimitTests(CommandsApp app) : IClassFixture<CommandsApp>, IAsyncLifetime
{
    private readonly string key = Guid.NewGuid().ToString();
    private readonly WebApplicationFactory<Program> process =
        CommandsApp.Start(
            app.Database.Commands, ("Orders:PendingOfCustomer", "2"), ("Orders:QuantityOfCustomer", "3"));

    private HttpClient customer = null!;
    private int user;
    private int product;

    public async Task InitializeAsync()
    {
        (user, product) = (await app.UserAsync(), await app.ProductAsync(stock: 10));
        using var loggedIn = await app.CustomerAsync(user);
        customer = CommandsApp.Client(process, loggedIn.DefaultRequestHeaders.Authorization!.Parameter);
    }

    public async Task DisposeAsync()
    {
        customer.Dispose();
        await process.DisposeAsync();
    }

    [Fact]
    public async Task One_order_too_many_is_refused_until_an_earlier_one_is_cancelled()
    {
        await OrderAsync(customer);
        var second = (await OrderAsync(customer)).Id;

        using var refused = await customer.PostAsJsonAsync("/orders", Body());
        (await Answer.ReadAsync(refused)).ShouldBeProblem(HttpStatusCode.TooManyRequests, "rate.exceeded");
        refused.Headers.RetryAfter!.Delta.ShouldBe(TimeSpan.FromMinutes(1));
        (await app.StockAsync(product)).ShouldBe(8);
        (await app.OutboxAsync("products", product)).Count.ShouldBe(3);

        await app.MoveOrderAsync(second, "Cancelled");
        await OrderAsync(customer);
    }

    [Fact]
    public async Task An_API_key_may_create_any_number()
    {
        using var staff = CommandsApp.Client(process, CommandsApp.Key);
        for (var i = 0; i < 4; i++) await OrderAsync(staff);
    }

    [Fact]
    public async Task Too_many_pieces_of_a_product_are_refused_to_a_customer_by_its_first_item_and_not_to_an_API_key()
    {
        var other = await app.ProductAsync();
        var body = ShopBuilder.OrderBody(user, (other, 3), (product, 2), (product, 2));

        using var refused = await customer.PostAsJsonAsync("/orders", body);
        var answer = await Answer.ReadAsync(refused);
        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        var error = answer.Body.GetProperty("errors").EnumerateObject().ShouldHaveSingleItem();
        error.Name.ShouldBe("items[1].quantity");
        error.Value[0].GetString().ShouldBe("A customer may order at most 3 pieces of a product.");
        (await app.StockAsync(other)).ShouldBe(10);

        using var staff = CommandsApp.Client(process, CommandsApp.Key);
        using var ofStaff = await staff.PostAsJsonAsync("/orders", body);
        (await Answer.ReadAsync(ofStaff)).ShouldBeCreated("orders");
        using var most = await customer.PostAsJsonAsync(
            "/orders", ShopBuilder.OrderBody(user, (other, 3), (product, 2), (product, 1)));
        (await Answer.ReadAsync(most)).ShouldBeCreated("orders");
    }

    [Fact]
    public async Task Orders_that_are_paid_or_of_another_customer_do_not_count()
    {
        using var staff = CommandsApp.Client(process, CommandsApp.Key);
        for (var i = 0; i < 3; i++)
        {
            await app.MoveOrderAsync((await OrderAsync(staff)).Id, "Processing");
            await app.OrderAsync((product, 1));
        }

        await OrderAsync(customer);
    }

    [Fact]
    public async Task A_repeated_order_has_its_first_response_although_the_limit_is_reached()
    {
        var first = await SendAsync(key);
        first.Answer.ShouldBeCreated("orders");
        await OrderAsync(customer);

        (await SendAsync(key)).ShouldRepeat(first);
        (await app.StockAsync(product)).ShouldBe(8);
    }

    [Fact]
    public async Task A_refusal_is_not_the_outcome_of_its_key()
    {
        await OrderAsync(customer);
        var second = (await OrderAsync(customer)).Id;
        var refused = await SendAsync(key);
        refused.Answer.ShouldBeProblem(HttpStatusCode.TooManyRequests, "rate.exceeded");
        refused.RetryAfter.ShouldBe(TimeSpan.FromMinutes(1));

        await app.MoveOrderAsync(second, "Processing");

        var created = await SendAsync(key);
        created.Answer.ShouldBeCreated("orders");
        created.Replayed.ShouldBeFalse();
    }

    private object Body() => ShopBuilder.OrderBody(user, (product, 1));

    private Task<KeyedResponse> SendAsync(string with) =>
        customer.SendKeyedAsync(with, HttpMethod.Post, "/orders", Body());

    private async Task<Answer> OrderAsync(HttpClient client)
    {
        using var response = await client.PostAsJsonAsync("/orders", Body());
        var answer = await Answer.ReadAsync(response);
        answer.ShouldBeCreated("orders");
        return answer;
    }
}
