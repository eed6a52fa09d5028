using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Client;

namespace ApexShop.Containers.Tests;

/// <summary>compose.cluster.yaml, started and attacked.</summary>
[Collection(nameof(ContainerTests))]
public sealed class ClusterTests(ClusteredShop shop) : IClassFixture<ClusteredShop>, IAsyncLifetime
{
    private ShopClient client = null!;

    public async Task InitializeAsync()
    {
        await shop.ComposeAsync("up", "-d", "--wait");
        await shop.ComposeAsync("exec", "-T", "nginx", "nginx", "-s", "reload");
        client = await shop.ClientAsync();
    }

    public Task DisposeAsync()
    {
        client.Dispose();
        return Task.CompletedTask;
    }

    [Fact]
    public async Task Queues_are_on_all_nodes_and_the_replica_follows()
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

        (await shop.SqlAsync("postgres", "SELECT state FROM pg_stat_replication")).ShouldBe("streaming");
        (await shop.SqlAsync("postgres-replica", "SELECT pg_is_in_recovery()")).ShouldBe("t");
    }

    [Theory]
    [InlineData("rabbitmq")]
    [InlineData("rabbitmq-3")]
    [InlineData("commands")]
    [InlineData("projector")]
    [InlineData("projector-2")]
    [InlineData("queries-2")]
    [InlineData("redis")]
    public async Task The_end_of_a_node_loses_no_write(string service)
    {
        var before = await client.Categories.CreateAsync(new("Before"));
        await shop.ComposeAsync("kill", "-s", "KILL", service);
        var saved = new List<int> { before.Id };
        for (var count = 0; count < 20; count++)
            saved.Add((await client.Categories.CreateAsync(new($"Without {service} {count}"))).Id);

        foreach (var id in saved) (await client.Categories.GetAsync(id)).Id.ShouldBe(id);
        saved.Distinct().Count().ShouldBe(21, "no command was executed twice");
    }

    [Fact]
    public async Task Without_a_process_nginx_answers_with_a_problem()
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
}
