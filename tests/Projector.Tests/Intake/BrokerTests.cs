using System.Net;
using System.Net.Http.Json;
using ApexShop.Events;
using ApexShop.Messaging;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;
using RabbitMQ.Client;

namespace ApexShop.Projector.Tests.Intake;

public sealed class BrokerTests(ReadStore store) : ProjectorTest(store)
{
    private readonly string name = "test_" + Guid.NewGuid().ToString("N");
    private IConnection connection = null!;
    private IChannel channel = null!;

    private string Queue => name + ".projector";

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        connection = await new ConnectionFactory { Uri = Servers.RabbitMq }.CreateConnectionAsync();
        channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true));
    }

    public override async Task DisposeAsync()
    {
        foreach (var queue in (string[])[Queue, Topology.DeadLettersOf(Queue), Queue + "_skipped"])
        {
            await channel.QueueDeleteAsync(queue);
            await channel.ExchangeDeleteAsync(queue);
        }

        await channel.ExchangeDeleteAsync(name);
        await channel.DisposeAsync();
        await connection.DisposeAsync();
        await base.DisposeAsync();
    }

    [Fact]
    public async Task Messages_are_applied_in_order_by_one_of_two_projectors_and_the_other_takes_over()
    {
        History.Available = false;
        var first = await StartAsync();
        var second = await StartAsync();
        await using (second)
        {
            await using (first)
            {
                // With the log unavailable a message out of order would stop everything: there is nothing to fill a
                // hole from.
                for (var i = 0; i < 200; i++) await SendAsync(History.Product(i % 10, $"Product {i}"));
                await CaughtUpAsync();
            }

            for (var i = 0; i < 50; i++) await SendAsync(History.Product(i % 10, $"Later {i}"));
            await CaughtUpAsync();
        }

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await channel.QueueDeclarePassiveAsync(Queue)).MessageCount.ShouldBe(0u);
    }

    [Fact]
    public async Task Events_that_the_broker_does_not_bring_are_read_from_the_log_within_seconds()
    {
        await using var projector = await StartAsync();
        await SendAsync(History.Product(1, "Brought"));
        await CaughtUpAsync();

        History.Product(2, "Not brought");

        await Eventually.Holds(
            async () => await Store.ScalarAsync<long>("SELECT count(*) FROM read.products") == 2,
            "it is read before the next comparison with the log",
            TimeSpan.FromSeconds(15));
        projector.Logs.Lines.ShouldContain(
            line => line.Contains("Nothing was applied for a second", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_message_waits_while_the_database_is_unavailable_even_through_a_stop()
    {
        await using var first = await StartAsync();
        var database = Store.Database.Name;
        await Store.ExecuteAsync($"REVOKE CONNECT ON DATABASE {database} FROM projector");
        try
        {
            await Store.ExecuteAsync(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'projector' AND datname = "
                + $"'{database}'");
            for (var i = 0; i < 20; i++) await SendAsync(History.Product(i, "Pen"));
            await Eventually.Holds(
                () => Task.FromResult(first.Logs.Lines.Any(line => line.Contains("waits", StringComparison.Ordinal))),
                "it waits");
            await first.StopAsync().WaitAsync(TimeSpan.FromSeconds(25));
        }
        finally
        {
            await Store.ExecuteAsync($"GRANT CONNECT ON DATABASE {database} TO projector");
        }

        await using var second = await StartAsync();

        await CaughtUpAsync();
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.dead_letters")).ShouldBe(0);
    }

    [Fact]
    public async Task A_lost_broker_is_in_use_again_soon_after_it_is_available()
    {
        await using var line = new BrokerLine();
        await using var projector = await StartAsync(line.Url);
        for (var outage = 0; outage < 2; outage++)
        {
            await line.CutAsync();
            await SendAsync(History.Product(10, $"Meanwhile {outage}"));
            await Eventually.Holds(async () => !await projector.IsReadyAsync(), "the broker is missed");
            (await BrokerUpAsync(projector)).ShouldBe(0);
            line.Mend();

            await CaughtUpAsync();
            await Eventually.Holds(projector.IsReadyAsync, "ready again");
            (await BrokerUpAsync(projector)).ShouldBe(1);
        }

        await line.CutAsync();
        await Eventually.Holds(async () => !await projector.IsReadyAsync(), "the broker is missed");
        await projector.StopAsync().WaitAsync(TimeSpan.FromSeconds(20));
    }

    [Fact]
    public async Task A_Projector_that_hangs_is_replaced_although_its_connection_stays_open()
    {
        await using var line = new BrokerLine();
        await using var first = await StartAsync(line.Url);
        await using var second = await StartAsync();
        await SendAsync(History.Product(1, "Before"));
        await CaughtUpAsync();

        // Nothing but messages: the one that hangs reaches the log.
        History.Available = false;
        line.Freeze();
        for (var i = 0; i < 20; i++) await SendAsync(History.Product(i, "After"));

        await CaughtUpAsync();
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task Health_names_each_dependency_and_stays_ready_without_the_log()
    {
        History.Available = false;
        await using var projector = await StartAsync();
        using var http = new HttpClient { BaseAddress = projector.Address };

        (await http.GetAsync(new Uri("/health/live", UriKind.Relative))).StatusCode.ShouldBe(HttpStatusCode.OK);
        var ready = await http.GetFromJsonAsync<Readiness>(new Uri("/health/ready", UriKind.Relative));
        ready!.Status.ShouldBe("ready");
        ready.Checks.ShouldBe(
            new Dictionary<string, string>
            {
                ["postgres"] =
                    "ok", ["rabbitmq"] = "ok", ["redis"] = "ok", ["eventLog"] = "unavailable",
                    ["documentsOfThisLog"] = "ok",
            },
            ignoreOrder: true);
    }

    private Task<RunningProjector> StartAsync(Uri? broker = null) =>
        RunningProjector.StartAsync(Store.Database.Projector, name, Queue, History, broker);

    private async Task CaughtUpAsync(TimeSpan? limit = null) => await Eventually.Holds(
        async () => await Store.ScalarAsync<long>(
            "SELECT max(position) FROM read.checkpoints") == History.Entries.Count,
        "every event is applied",
        limit);

    private static async Task<double?> BrokerUpAsync(RunningProjector projector) =>
        MetricsText.Parse(await projector.Operator.GetStringAsync("/metrics")).Value("apexshop_broker_up");

    private Task SendAsync(LogEntry entry) => SendAsync(entry.Resource, TestProjector.Message([entry]));

    private async Task SendAsync(string resource, byte[] body) => await channel.BasicPublishAsync(
        name,
        resource,
        mandatory: true,
        new BasicProperties { ContentType = Topology.ContentType, Persistent = true },
        body);

    private sealed record Readiness(string Status, Dictionary<string, string> Checks);
}
