using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using Microsoft.AspNetCore.Mvc.Testing;

namespace ApexShop.Commands.Api.Tests.Orders;

/// <summary>A customer may have two Pending orders with a deadline in this process.</summary>
public sealed class PendingOrderLimitTests(CommandsApp app) : IClassFixture<CommandsApp>, IAsyncLifetime
{
    private readonly string key = Guid.NewGuid().ToString();
    private readonly WebApplicationFactory<Program> process =
        CommandsApp.Start(app.Database.Commands, ("Orders:PendingOfCustomer", "2"));

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
