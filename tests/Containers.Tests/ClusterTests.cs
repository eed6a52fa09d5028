using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Client;
using ApexShop.TestKit;

namespace ApexShop.Containers.Tests;

/// <summary>compose.cluster.yaml, started, with single parts that end.</summary>
[Collection(nameof(ClusteredShop))]
public sealed class ClusterTests(ClusteredShop shop) : IAsyncLifetime
{
    private ShopClient client = null!;

    public async Task InitializeAsync()
    {
        await shop.BeginAsync();
        client = await shop.ClientAsync();
    }

    public async Task DisposeAsync()
    {
        client.Dispose();
        await shop.ComposeAsync("up", "-d", "--wait");
    }

    [Fact]
    public Task Queues_are_on_all_nodes_and_the_replicas_follow() => AllHaveTheirDataAsync();

    [Theory]
    // The processes that use a balancer go on without it.
    [InlineData("postgres/1", "rabbitmq/1", "redis/1", "etcd", "sentinel", "balancer")]
    [InlineData("postgres/2", "rabbitmq/2", "redis/2", "etcd-2", "sentinel-2", "balancer-2")]
    [InlineData("etcd-3", "sentinel-3", "balancer-3", "commands", "projector", "queries")]
    [InlineData("commands-2", "projector-2", "queries-2", "queries-3")]
    public async Task The_end_of_containers_of_different_services_loses_no_write(params string[] names)
    {
        var services = new List<string>();
        foreach (var name in names) services.Add(await shop.ServiceAsync(name));
        var before = await client.Categories.CreateAsync(new("Before"));
        await shop.ComposeAsync(["kill", "-s", "KILL", .. services]);
        var saved = new List<int> { before.Id };
        for (var count = 0; count < 20; count++)
            saved.Add((await client.Categories.CreateAsync(new($"Without {names[0]} {count}"))).Id);

        foreach (var id in saved) (await client.Categories.GetAsync(id)).Id.ShouldBe(id);
        saved.Distinct().Count().ShouldBe(21, "no command was executed twice");
    }

    [Fact]
    public async Task An_etcd_that_answers_late_is_given_its_password()
    {
        await shop.PauseAsync("etcd");
        var protect = shop.ComposeAsync("run", "--rm", "--no-deps", "etcd-protect", "http://etcd:2379");
        // Longer than all requests of one attempt take together.
        await Task.Delay(TimeSpan.FromSeconds(12));
        await shop.DockerAsync("unpause", shop.Container("etcd"));

        await protect;
        // The health check of a paused container fails.
        await shop.AllAreWellAsync();
    }

    // Not `docker kill`: after that the engine does not start a container again.
    [Fact]
    public async Task A_gateway_that_crashes_is_started_again()
    {
        var before = await RestartsAsync("gateway");
        await shop.DockerAsync("exec", "-d", shop.Container("gateway"), "sh", "-c", "kill -9 -1");

        await Eventually.Holds(
            async () => await RestartsAsync("gateway") > before,
            "the engine starts the gateway again",
            TimeSpan.FromMinutes(2));
        (await client.Categories.CreateAsync(new("After the gateway"))).Id.ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task A_RabbitMQ_whose_broker_does_not_come_back_is_started_again()
    {
        var before = await RestartsAsync("rabbitmq-3");
        await shop.ShellAsync("rabbitmq-3", "rabbitmqctl -q stop_app");

        await Eventually.Holds(
            async () => await RestartsAsync("rabbitmq-3") > before,
            "the engine starts RabbitMQ again",
            TimeSpan.FromMinutes(2));
        await shop.AllAreWellAsync();
    }

    [Fact]
    public async Task A_cluster_that_loses_its_power_starts_again_with_its_data()
    {
        var before = await client.Categories.CreateAsync(new("Before the end"));
        await shop.ComposeAsync("kill", "-s", "KILL");

        await shop.ComposeAsync("up", "-d", "--wait");

        (await client.Categories.GetAsync(before.Id)).Name.ShouldBe("Before the end");
        var after = await client.Categories.CreateAsync(new("After the end"));
        (await client.Categories.GetAsync(after.Id)).Name.ShouldBe("After the end");
    }

    [Fact]
    public async Task With_one_server_of_each_kind_lost_the_others_start_after_a_power_cut()
    {
        await shop.ComposeAsync("kill", "-s", "KILL");
        await shop.ComposeAsync("run", "--rm", "-T", "--no-deps", "rabbitmq", "rabbitmqctl", "force_boot");

        await shop.ComposeAsync(
            "up", "-d", "--wait", "--scale", "etcd-3=0", "--scale", "postgres-3=0", "--scale", "rabbitmq-3=0",
            "--scale", "redis=0", "--scale", "sentinel-3=0");

        var after = await client.Categories.CreateAsync(new("With two of three"));
        (await client.Categories.GetAsync(after.Id)).Name.ShouldBe("With two of three");
        // The sentinels begin with the first Redis when no other one is a primary.
        await Eventually.Holds(
            async () => await shop.PrimaryAsync("redis") != "redis", "another Redis is the primary",
            TimeSpan.FromMinutes(2));
    }

    [Fact]
    public async Task With_the_data_of_an_etcd_lost_the_others_start_and_it_is_replaced()
    {
        await shop.LoseAsync("etcd-2");
        await shop.ComposeAsync("kill", "-s", "KILL", "postgres", "postgres-2", "postgres-3", "commands");

        await shop.ComposeAsync("up", "-d");

        (await client.Categories.CreateAsync(new("Without an etcd"))).Id.ShouldBeGreaterThan(0);
        await shop.ReplaceAsync("etcd-2");
        await shop.AllAreWellAsync();
        // It has the users, and is one of the two that are left.
        await shop.ComposeAsync("stop", "etcd");
        await shop.ComposeAsync("run", "--rm", "--no-deps", "etcd-protect", "http://etcd-2:2379");
    }

    [Fact]
    public async Task Servers_whose_data_is_lost_get_it_from_the_others()
    {
        string[] services = ["postgres-2", "rabbitmq-2", "redis-2", "sentinel-2"];
        var before = await client.Categories.CreateAsync(new("Before the loss"));
        foreach (var service in services) await shop.LoseAsync(service);

        foreach (var service in services) await shop.ReplaceAsync(service);

        await shop.AllAreWellAsync();
        await AllHaveTheirDataAsync();
        (await client.Categories.GetAsync(before.Id)).Name.ShouldBe("Before the loss");
    }

    [Fact]
    public async Task Without_a_process_the_gateway_answers_with_a_problem()
    {
        await shop.ComposeAsync("stop", "commands", "commands-2");
        using var http = new HttpClient { BaseAddress = shop.Commands };

        using var response = await http.PostAsJsonAsync("/categories", new { name = "Unheard" });

        response.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        response.Headers.RetryAfter!.Delta.ShouldBe(TimeSpan.FromSeconds(1));
        response.Content.Headers.ContentType!.MediaType.ShouldBe("application/problem+json");
        var problem = await response.Content.ReadFromJsonAsync<JsonNode>();
        ((string)problem!["code"]!).ShouldBe("gateway.unavailable");
    }

    private async Task AllHaveTheirDataAsync()
    {
        var queues = JsonNode.Parse(await shop.ComposeAsync(
            "exec", "-T", "rabbitmq", "rabbitmqctl", "-q", "--formatter", "json", "list_queues", "-p", "apexshop",
            "name", "type", "members"))!.AsArray();

        queues.Count.ShouldBe(2, "the events and the dead letters of the Projector");
        foreach (var queue in queues)
        {
            ((string)queue!["type"]!).ShouldBe("quorum");
            queue["members"]!.AsArray().Count.ShouldBe(3);
        }

        (await shop.SqlAsync("SELECT state FROM pg_stat_replication")).ShouldBe("streaming\nstreaming");
        (await shop.SqlAsync("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")).ShouldBe("1");
    }

    private async Task<int> RestartsAsync(string service) =>
        (int)(await shop.ContainersAsync())[service]["RestartCount"]!;
}
