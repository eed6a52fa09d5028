using System.Net;
using System.Net.Http.Json;
using System.Security.Claims;
using System.Text;
using ApexShop.Access;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.Commands.Api.Tests.Hosting;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Commands.Api.Tests.Access;

/// <summary>What the token of a customer opens, and that it opens nothing else.</summary>
public sealed class CustomerAccessTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_customer_orders_in_the_own_name_only()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync());
        using var customer = await app.CustomerAsync(user);

        var own = await SendAsync(customer, "POST", "/orders", ShopBuilder.OrderBody(user, (product, 1)));
        own.ShouldBeCreated("orders");
        (await app.ScalarAsync<string>(
            $"SELECT actor FROM shop.outbox WHERE resource = 'orders' AND aggregate_id = {own.Id}"))
            .ShouldBe($"users/{user}");
        (await SendAsync(customer, "POST", "/orders", ShopBuilder.OrderBody(await app.UserAsync(), (product, 1))))
            .ShouldBeProblem(HttpStatusCode.Forbidden, "access.own_only");
        (await app.StockAsync(product)).ShouldBe(9);
    }

    [Fact]
    public async Task A_customer_writes_reviews_in_the_own_name_only()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync());
        using var customer = await app.CustomerAsync(user);
        (await SendAsync(
            customer, "POST", "/reviews", new { productId = product, userId = await app.UserAsync(), rating = 4 }))
            .ShouldBeProblem(HttpStatusCode.Forbidden, "access.own_only");

        (await SendAsync(customer, "POST", "/reviews", new { productId = product, userId = user, rating = 4 }))
            .ShouldBeCreated("reviews");
    }

    [Fact]
    public async Task Commands_of_one_customer_that_wait_for_a_row_use_few_connections_and_too_many_are_refused()
    {
        const int sent = CustomerLimit.Executing + CustomerLimit.Waiting + 5;
        var (user, product, other) = (await app.UserAsync(), await app.ProductAsync(stock: 1), await app.UserAsync());
        using var customer = await app.CustomerAsync(user);
        List<Task<HttpResponseMessage>> orders;
        await using (await app.Database.HoldAsync($"SELECT FROM shop.products WHERE id = {product} FOR UPDATE"))
        {
            orders = [.. Enumerable.Range(0, sent).Select(_ =>
                customer.PostAsJsonAsync("/orders", ShopBuilder.OrderBody(user, (product, 1))))];
            await Eventually.Holds(() => orders.Count(order => order.IsCompleted) == 5, "five are refused");
            await app.Database.HeldUpAsync("commands", CustomerLimit.Executing);
            (await app.ScalarAsync<long>(
                """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                AND usename = 'commands' AND wait_event_type = 'Lock'
                """)).ShouldBe(CustomerLimit.Executing);
            using var another = await app.CustomerAsync(other);
            (await SendAsync(
                another, "POST", "/orders", ShopBuilder.OrderBody(other, (await app.ProductAsync(), 1))))
                .ShouldBeCreated("orders");
        }

        var responses = await Task.WhenAll(orders);
        responses.Count(response => response.StatusCode == HttpStatusCode.Created).ShouldBe(1);
        var refused = responses.Where(response => response.StatusCode == HttpStatusCode.TooManyRequests).ToList();
        refused.Count.ShouldBe(5);
        foreach (var response in refused)
        {
            response.Headers.RetryAfter.ShouldNotBeNull();
            (await Answer.ReadAsync(response)).ShouldBeProblem(HttpStatusCode.TooManyRequests, "rate.exceeded");
        }

        (await app.StockAsync(product)).ShouldBe(0);
    }

    [Fact]
    public async Task A_login_with_a_token_does_not_wait_for_other_commands_of_the_customer()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync());
        var email = await app.ScalarAsync<string>($"SELECT email FROM shop.users WHERE id = {user}");
        using var customer = await app.CustomerAsync(user);
        List<Task<HttpResponseMessage>> orders;
        await using (await app.Database.HoldAsync($"SELECT FROM shop.products WHERE id = {product} FOR UPDATE"))
        {
            orders = [.. Enumerable.Range(0, CustomerLimit.Executing).Select(_ =>
                customer.PostAsJsonAsync("/orders", ShopBuilder.OrderBody(user, (product, 1))))];
            await app.Database.HeldUpAsync("commands", CustomerLimit.Executing);

            (await SendAsync(customer, "POST", "/sessions", new { email, password = "correct horse" }))
                .Status.ShouldBe(HttpStatusCode.OK);

            orders.ShouldAllBe(order => !order.IsCompleted);
        }

        (await Task.WhenAll(orders)).ShouldAllBe(response => response.StatusCode == HttpStatusCode.Created);
    }

    [Fact]
    public async Task An_order_refused_for_want_of_a_right_succeeds_with_the_same_key_once_the_customer_has_it()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync());
        using var customer = await app.CustomerAsync(user);
        var (key, order) = (Guid.NewGuid().ToString(), ShopBuilder.OrderBody(user, (product, 1)));
        await app.ScalarAsync<int>($"UPDATE shop.users SET is_active = false WHERE id = {user} RETURNING id");
        (await customer.SendKeyedAsync(key, HttpMethod.Post, "/orders", order)).Answer
            .ShouldBeProblem(HttpStatusCode.Forbidden, "access.customer_inactive");

        await app.ScalarAsync<int>($"UPDATE shop.users SET is_active = true WHERE id = {user} RETURNING id");
        (await customer.SendKeyedAsync(key, HttpMethod.Post, "/orders", order)).Answer.ShouldBeCreated("orders");
    }

    [Fact]
    public async Task A_customer_who_is_no_longer_active_orders_and_reviews_nothing()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync());
        using var customer = await app.CustomerAsync(user);
        var (order, review) =
            (ShopBuilder.OrderBody(user, (product, 1)), new { productId = product, userId = user, rating = 4 });

        foreach (var end in (string[])["UPDATE shop.users SET is_active = false", "DELETE FROM shop.users"])
        {
            await app.ScalarAsync<object>($"{end} WHERE id = {user}");
            var before = await app.SnapshotAsync();

            (await SendAsync(customer, "POST", "/orders", order))
                .ShouldBeProblem(HttpStatusCode.Forbidden, "access.customer_inactive");
            (await SendAsync(customer, "POST", "/reviews", review))
                .ShouldBeProblem(HttpStatusCode.Forbidden, "access.customer_inactive");

            (await app.SnapshotAsync()).ShouldBe(before);
        }
    }

    [Fact]
    public async Task Every_other_endpoint_that_needs_a_key_is_closed_to_customers()
    {
        using var customer = await app.CustomerAsync(await app.UserAsync());
        var lines = app.Lines().Where(line => line.Needs != AccessMatrix.Public).ToList();
        var open = lines.Where(line => Scopes.PermitsCustomers(line.Needs, out _)).ToList();

        open.Select(line => line.Name).Order(StringComparer.Ordinal)
            .ShouldBe(["CreateOrder", "CreateReview"]);
        foreach (var line in lines.Except(open))
        {
            var answer = await SendAsync(customer, line.Method, line.Path, line.Method == "GET" ? null : "{}");
            answer.ShouldBeProblem(HttpStatusCode.Forbidden, "access.scope_missing");
        }
    }

    [Fact]
    public async Task A_changed_token_is_refused()
    {
        using var customer = await app.CustomerAsync(await app.UserAsync());
        var token = customer.DefaultRequestHeaders.Authorization!.Parameter!;
        var other = token[^5] == 'A' ? 'B' : 'A';
        using var changed = app.ClientWith(token[..^5] + other + token[^4..]);

        (await SendAsync(changed, "POST", "/reviews", "{}"))
            .ShouldBeProblem(HttpStatusCode.Unauthorized, "access.key_required");
    }

    [Fact]
    public async Task A_command_that_permits_no_customers_is_refused_to_them_even_behind_an_open_endpoint()
    {
        var caller = new ClaimsPrincipal(new ClaimsIdentity([new Claim("customer", "17")], "test"));
        var http = new DefaultHttpContext { User = caller };
        using var limit = new CustomerLimit();
        var behavior = new CustomerAuthorization<DeleteOrder.Command, Result<Saved>>(
            new HttpContextAccessor { HttpContext = http }, limit);

        var result = await behavior.Handle(
            new DeleteOrder.Command(1, null), CancellationToken.None,
            () => throw new InvalidOperationException("It was executed."));

        result.Problem!.Code.ShouldBe("access.own_only");
    }

    [Fact]
    public async Task A_customer_replays_no_response_of_another_one()
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync());
        using var customer = await app.CustomerAsync(user);
        customer.DefaultRequestHeaders.Add("Idempotency-Key", $"{Guid.NewGuid()}");
        var first = await SendAsync(customer, "POST", "/orders", ShopBuilder.OrderBody(user, (product, 1)));
        var again = await SendAsync(customer, "POST", "/orders", ShopBuilder.OrderBody(user, (product, 1)));
        again.Id.ShouldBe(first.Id);

        var otherUser = await app.UserAsync();
        using var other = await app.CustomerAsync(otherUser);
        other.DefaultRequestHeaders.Add(
            "Idempotency-Key", customer.DefaultRequestHeaders.GetValues("Idempotency-Key").Single());
        var own = await SendAsync(other, "POST", "/orders", ShopBuilder.OrderBody(otherUser, (product, 1)));
        own.ShouldBeCreated("orders");
        own.Id.ShouldNotBe(first.Id);
    }

    private static async Task<Answer> SendAsync(HttpClient http, string method, string path, object? body)
    {
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), path);
        if (body is string text) request.Content = new StringContent(text, Encoding.UTF8, "application/json");
        else if (body is not null) request.Content = JsonContent.Create(body);
        using var response = await http.SendAsync(request);
        return await Answer.ReadAsync(response);
    }
}
