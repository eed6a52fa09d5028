using System.Globalization;
using System.Net;
using System.Net.Sockets;
using ApexShop.TestKit;

namespace ApexShop.Client.Tests;

/// <summary>The guarantees of the .NET client, for the package of Node and browsers.</summary>
[Collection(ClientShop.Suite)]
public sealed class NodeTests(ClientShop running, ClientNodePackage package) : IAsyncLifetime
{
    private FaultProxy commands = null!;
    private FaultProxy queries = null!;
    private ShopClient client = null!;
    private (int Free, int Full) ports;

    public async Task InitializeAsync()
    {
        commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        client = running.Open();
    }

    public async Task DisposeAsync()
    {
        client.Dispose();
        await commands.DisposeAsync();
        await queries.DisposeAsync();
    }

    [Fact]
    public async Task The_sample_orders_once_although_the_response_is_cut_off()
    {
        var (_, products) = await running.StockAsync(client, 2, "Chandelier");
        await client.Products.GetAsync(products[^1]);
        commands.Pass();
        commands.Cut();
        var output = await package.RunAsync(running.Environment(commands, queries), "shop.js", "chandelier");

        output.ShouldContain("Chandelier 2: 2 USD, 100 in stock");
        output.ShouldContain("of Grace Hopper: Pending, 3 USD");
        commands.Seen.Select(one => one.Path).ShouldBe(["/sessions", "/orders", "/orders"]);
        foreach (var product in products) (await client.Products.GetAsync(product)).Stock.ShouldBe(99);
    }

    [Fact]
    public async Task An_order_whose_responses_are_cut_off_is_made_once()
    {
        commands.Cut();
        commands.Cut();
        await CheckAsync("order");
        var attempts = commands.Seen.ToList();
        attempts.Count.ShouldBe(3);
        attempts.Select(one => one.Key).Distinct().ShouldHaveSingleItem().ShouldNotBeNullOrEmpty();
    }

    [Fact]
    public async Task A_replacement_whose_response_is_cut_off_is_not_repeated()
    {
        commands.Cut();
        commands.Refuse(503, "0");
        await CheckAsync("replace");
        commands.Seen.Select(one => one.Method).ShouldBe(["PUT", "DELETE"]);
    }

    [Theory]
    [InlineData(429)]
    [InlineData(503)]
    public async Task A_Retry_After_is_waited_for(int status)
    {
        commands.Refuse(status, "1");
        queries.Refuse(status, "1");
        await CheckAsync("wait");
        foreach (var attempts in (IReadOnlyList<SeenRequest>[])[[.. commands.Seen], [.. queries.Seen]])
        {
            attempts.Count.ShouldBe(2);
            (attempts[1].Time - attempts[0].Time).ShouldBeGreaterThan(TimeSpan.FromSeconds(0.99));
        }
    }

    [Fact]
    public async Task A_problem_of_a_proxy_has_the_status_of_its_response()
    {
        foreach (var problem in (string[])["null", """{"title":"Unavailable"}""", """{"code":"ServiceUnavailable"}"""])
            queries.Refuse(503, problem: problem);
        queries.Pass();
        queries.Refuse(403, problem: """{"code":"Forbidden"}""");
        queries.Refuse(403, problem: """{"code":"Forbidden","errors":["No."]}""");
        await CheckAsync("proxy");
        queries.Seen.Count.ShouldBe(6);
    }

    [Fact]
    public Task The_key_is_neither_in_JSON_nor_in_a_log() => CheckAsync("secret");

    [Fact]
    public async Task An_empty_key_is_refused_and_a_missing_version_is_an_error()
    {
        commands.Refuse(503);
        await CheckAsync("empty");
        commands.Seen.Select(one => one.Key).Take(2).ShouldBe(["", ""]);
    }

    [Fact]
    public async Task A_command_that_is_redirected_is_a_problem()
    {
        commands.Redirect(new Uri(queries.Url, "/categories"));
        await CheckAsync("redirect");
        queries.Seen.ShouldBeEmpty();
    }

    [Fact]
    public Task A_command_whose_first_attempt_still_runs_is_repeated_until_that_has_ended() => CheckAsync("running");

    [Fact]
    public Task An_option_that_is_undefined_has_its_default() => CheckAsync("defaults");

    [Fact]
    public async Task Retries_are_bounded_and_attempts_end()
    {
        for (var i = 0; i < 3; i++) queries.Refuse(503);
        queries.Refuse(503, "3600");
        queries.Ignore();
        queries.Ignore();
        await CheckAsync("bounds");
        queries.Seen.Count.ShouldBe(7);
    }

    [Fact]
    public async Task A_command_for_which_no_connection_was_made_is_repeated_without_a_key()
    {
        // The system takes one connection that the listener does not accept; any other gets no response.
        using var full = new Socket(SocketType.Stream, ProtocolType.Tcp);
        full.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        full.Listen(0);
        using var waiting = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await waiting.ConnectAsync(full.LocalEndPoint!);
        ports = (Loopback.FreePort(), ((IPEndPoint)full.LocalEndPoint!).Port);
        commands.Cut();
        await CheckAsync("connect");
        commands.Seen.Count.ShouldBe(1);
    }

    [Fact]
    public async Task Every_read_after_a_write_includes_it()
    {
        var output = await CheckAsync("consistency");
        output.ShouldContain($"token {queries.Seen.Last().Token.ShouldNotBeNull()}");
        commands.Seen.ShouldAllBe(one => one.Token == null);
    }

    [Fact]
    public Task The_commands_that_the_shop_allows_more_time_have_the_longer_limit()
    {
        commands.Pass();
        for (var i = 0; i < 9; i++) commands.Delay(TimeSpan.FromSeconds(1));
        return CheckAsync("limits");
    }

    [Fact]
    public async Task An_erasure_and_a_deactivation_have_only_a_key_that_is_given()
    {
        await CheckAsync("keys");
        commands.Seen.Select(one => one.Key).ShouldBe([null, null, "given"]);
    }

    [Fact]
    public Task A_walk_over_a_list_that_changes_neither_repeats_nor_skips() => CheckAsync("walk", products: 40);

    [Fact]
    public Task Documents_are_read_changed_and_refused() => CheckAsync("commands");

    [Fact]
    public Task An_id_or_a_slug_is_no_way_to_another_path() => CheckAsync("ids");

    [Fact]
    public Task The_problems_of_a_long_list_name_the_items_of_the_whole_list() => CheckAsync("long");

    [Fact]
    public Task A_response_without_its_last_line_is_incomplete()
    {
        commands.EndAfterFirstLine();
        return CheckAsync("incomplete");
    }

    [Fact]
    public Task The_token_of_a_changed_chunk_replaces_only_those_of_the_chunks_before_it() => CheckAsync("chunks");

    [Fact]
    public async Task A_stream_is_read_while_it_arrives()
    {
        var (category, _) = await running.StockAsync(client, 30);
        var go = new TaskCompletionSource();
        queries.Pass();
        queries.Pause(3, go.Task);
        using var probe = new ShopClient(running.Options(queries: queries));
        probe.ConsistencyToken = client.ConsistencyToken;
        await probe.Products.GetPageAsync(new() { CategoryId = [category] });
        var environment = running.Environment(commands, queries);
        environment["CATEGORY"] = category.ToString(CultureInfo.InvariantCulture);
        using var node = new ServerProcess("node", "node", ["checks.js", "stream"], environment)
        {
            WorkingDirectory = await package.InstalledAsync(),
        };
        node.Start();
        await Eventually.Holds(() => Lines(node) == 3, "the lines before the pause are read");
        go.SetResult();
        (await node.ExitAsync(TimeSpan.FromMinutes(1))).ShouldBe(0, node.Tail(40));
        Lines(node).ShouldBe(30);
    }

    [Fact]
    public Task A_stream_that_ends_within_a_line_is_interrupted()
    {
        queries.Shorten(1);
        queries.Shorten(2);
        return CheckAsync("cut", products: 3);
    }

    [Fact]
    public async Task A_stream_ends_when_no_byte_arrives_for_too_long()
    {
        var go = new TaskCompletionSource();
        queries.Pause(3, go.Task);
        await CheckAsync("idle", products: 5);
        go.SetResult();
    }

    private static int Lines(ServerProcess node) =>
        node.Tail(100).Split('\n').Count(line => line.StartsWith("item ", StringComparison.Ordinal));

    private async Task<string> CheckAsync(string name, int products = 1)
    {
        var (category, ids) = await running.StockAsync(client, products);
        await client.Products.GetAsync(ids[0]);
        var environment = running.Environment(commands, queries);
        environment["CATEGORY"] = category.ToString(CultureInfo.InvariantCulture);
        environment["PRODUCT"] = ids[0].ToString(CultureInfo.InvariantCulture);
        environment["FREE_PORT"] = ports.Free.ToString(CultureInfo.InvariantCulture);
        environment["FULL_PORT"] = ports.Full.ToString(CultureInfo.InvariantCulture);
        environment["CUSTOMER"] = running.Customer.ToString(CultureInfo.InvariantCulture);
        var output = await package.RunAsync(environment, "checks.js", name);
        output.ShouldContain("checked");
        return output;
    }
}
