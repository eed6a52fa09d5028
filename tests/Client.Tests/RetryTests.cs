namespace ApexShop.Client.Tests;

/// <summary>What the client repeats, what it does not repeat, and how long it waits.</summary>
[Collection(ClientShop.Suite)]
public sealed class RetryTests(ClientShop running) : IAsyncLifetime
{
    private FaultProxy commands = null!;
    private FaultProxy queries = null!;
    private ShopClient client = null!;

    public async Task InitializeAsync()
    {
        commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        client = running.Open(commands, queries);
    }

    public async Task DisposeAsync()
    {
        client.Dispose();
        await commands.DisposeAsync();
        await queries.DisposeAsync();
    }

    [Fact]
    public async Task An_order_whose_responses_are_cut_off_is_made_once()
    {
        var product = (await running.StockAsync(client)).Products[0];
        commands.Seen.Clear();
        commands.Cut();
        commands.Cut();

        var placed = await client.Orders.CreateAsync(
            new(running.Customer, "1 Main Street", [new(product, 3)]));

        var attempts = commands.Seen.ToList();
        attempts.Count.ShouldBe(3);
        attempts.Select(one => one.Key).Distinct().ShouldHaveSingleItem().ShouldNotBeNullOrEmpty();
        (await client.Orders.GetAsync(placed.Id)).Items.Single().Quantity.ShouldBe(3);
        (await client.Products.GetAsync(product)).Stock.ShouldBe(97);
    }

    [Fact]
    public async Task A_command_whose_first_attempt_still_runs_is_repeated_until_that_has_ended()
    {
        var product = (await running.StockAsync(client)).Products[0];
        commands.Seen.Clear();
        commands.Cut();
        for (var i = 0; i < 6; i++)
            commands.Refuse(409, "0", """{"code":"idempotency.in_progress","status":409}""");

        await client.Products.ChangeStockAsync(product, -1);

        commands.Seen.Select(one => one.Key).Distinct().ShouldHaveSingleItem();
        commands.Seen.Count.ShouldBe(8);
        (await client.Products.GetAsync(product)).Stock.ShouldBe(99);
    }

    // The shop goes on with an attempt that the client has given up.
    [Fact]
    public async Task A_command_whose_first_attempt_took_too_long_is_repeated_for_the_time_of_an_attempt()
    {
        var product = (await running.StockAsync(client)).Products[0];
        commands.Seen.Clear();
        using var impatient = new ShopClient(
            running.Options(commands, queries) with { Timeout = TimeSpan.FromSeconds(5), Retries = 1 });
        commands.Ignore();
        for (var i = 0; i < 4; i++)
            commands.Refuse(409, "0", """{"code":"idempotency.in_progress","status":409}""");

        await impatient.Products.ChangeStockAsync(product, -1);

        commands.Seen.Count.ShouldBe(6);
    }

    // A POST becomes a GET, and a page of orders would be taken for the new order.
    [Fact]
    public async Task A_command_that_is_redirected_is_a_problem()
    {
        commands.Redirect(new Uri(queries.Url, "/orders"));

        var redirected = await Should.ThrowAsync<ShopProblemException>(
            () => client.Orders.CreateAsync(new(running.Customer, "1 Main Street", [new(1, 1)])));

        redirected.Status.ShouldBe(302);
        queries.Seen.ShouldBeEmpty();
    }

    [Fact]
    public async Task Two_commands_have_different_keys_and_a_given_key_is_used()
    {
        var product = (await running.StockAsync(client)).Products[0];
        commands.Seen.Clear();
        await client.Products.ChangeStockAsync(product, -1);
        await client.Products.ChangeStockAsync(product, -1);
        await client.Products.PatchAsync(product, new() { ["name"] = "Lantern" }, idempotencyKey: "mine");
        await client.Products.PatchAsync(product, new() { ["name"] = "Lantern" }, idempotencyKey: "mine");

        commands.Seen.Select(one => one.Key).Distinct().Count().ShouldBe(3);
        var seen = await client.Products.GetAsync(product);
        (seen.Stock, seen.Name, seen.Version).ShouldBe((98, "Lantern", 4));
    }

    [Fact]
    public async Task A_replacement_whose_response_is_cut_off_is_not_repeated()
    {
        var (category, products) = await running.StockAsync(client);
        commands.Seen.Clear();
        commands.Cut();

        await Should.ThrowAsync<HttpRequestException>(
            () => client.Products.ReplaceAsync(products[0], new("Lantern", 5, category)));
        await Should.ThrowAsync<ShopProblemException>(async () =>
        {
            commands.Refuse(503, "0");
            await client.Products.DeleteAsync(products[0]);
        });

        commands.Seen.Select(one => one.Method).ShouldBe(["PUT", "DELETE"]);
    }

    // With a key each would be one transaction, which cannot end in its time when there are very many rows.
    [Fact]
    public async Task An_erasure_and_a_deactivation_have_only_a_key_that_is_given()
    {
        await Should.ThrowAsync<ShopProblemException>(() => client.Users.EraseAsync(int.MaxValue));
        await client.Users.DeactivateInactiveAsync(36_500);
        await client.Users.DeactivateInactiveAsync(36_500, "given-again");

        commands.Seen.Select(one => one.Key).ShouldBe([null, null, "given-again"]);
    }

    [Theory]
    [InlineData(429)]
    [InlineData(503)]
    public async Task A_Retry_After_is_waited_for(int status)
    {
        var product = (await running.StockAsync(client)).Products[0];
        foreach (var proxy in (FaultProxy[])[commands, queries])
        {
            proxy.Seen.Clear();
            proxy.Refuse(status, "1");
        }

        await client.Products.SetStockAsync(product, 7);
        (await client.Products.GetAsync(product)).Stock.ShouldBe(7);

        foreach (var proxy in (FaultProxy[])[commands, queries])
        {
            var attempts = proxy.Seen.ToList();
            attempts.Count.ShouldBe(2);
            (attempts[1].Time - attempts[0].Time).ShouldBeGreaterThan(TimeSpan.FromSeconds(0.99));
        }
    }

    [Theory]
    [InlineData("null")]
    [InlineData("""{"title":"Service Unavailable"}""")]
    [InlineData("""{"code":"ServiceUnavailable","status":200}""")]
    public async Task A_problem_of_a_proxy_has_the_status_of_its_response(string problem)
    {
        var product = (await running.StockAsync(client)).Products[0];
        queries.Refuse(503, problem: problem);
        (await client.Products.GetAsync(product)).Stock.ShouldBe(100);

        queries.Refuse(403, problem: problem);
        var refused = await Should.ThrowAsync<ShopProblemException>(() => client.Products.GetAsync(product));
        (refused.Status, refused.Code is null, refused.Title is null).ShouldBe((403, false, false));
        (refused.TraceId, refused.Problem.Type).ShouldBe(("", "about:blank"));
    }

    [Fact]
    public async Task A_command_that_the_rate_limit_refused_is_repeated_without_a_key()
    {
        var (category, products) = await running.StockAsync(client);
        commands.Refuse(429, "0");
        (await client.Products.ReplaceAsync(products[0], new("Lantern", 5, category))).Version.ShouldBe(2);
    }

    [Fact]
    public async Task Retries_are_bounded_and_a_long_Retry_After_is_not_waited_for()
    {
        using var impatient = new ShopClient(running.Options(commands, queries) with { Retries = 2 });
        for (var i = 0; i < 3; i++) queries.Refuse(503);
        (await Should.ThrowAsync<ShopProblemException>(() => impatient.Products.GetAsync(1))).Status.ShouldBe(503);
        queries.Seen.Count.ShouldBe(3);

        queries.Refuse(503, "3600");
        var late = await Should.ThrowAsync<ShopProblemException>(() => impatient.Products.GetAsync(1));
        late.RetryAfter.ShouldBe(TimeSpan.FromHours(1));
        late.Code.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_Retry_After_in_the_past_is_no_pause()
    {
        var product = (await running.StockAsync(client)).Products[0];
        queries.Refuse(503, "Wed, 21 Oct 2015 07:28:00 GMT");

        (await client.Products.GetAsync(product)).Id.ShouldBe(product);
    }

    [Fact]
    public async Task An_attempt_without_a_response_ends_and_is_repeated()
    {
        var product = (await running.StockAsync(client)).Products[0];
        using var impatient = new ShopClient(
            running.Options(commands, queries) with { Timeout = TimeSpan.FromSeconds(5) });
        queries.Ignore();
        (await impatient.Products.GetAsync(product)).Id.ShouldBe(product);

        queries.Ignore();
        using var stop = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        await Should.ThrowAsync<OperationCanceledException>(
            () => impatient.Products.GetAsync(product, cancellationToken: stop.Token));
    }
}
