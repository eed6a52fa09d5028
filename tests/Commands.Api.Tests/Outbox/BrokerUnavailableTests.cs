using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.TestKit.Metrics;
using Microsoft.AspNetCore.Mvc.Testing;

namespace ApexShop.Commands.Api.Tests.Outbox;

public sealed class BrokerUnavailableTests : IAsyncLifetime
{
    private LogDatabase database = null!;

    public async Task InitializeAsync() => database = await LogDatabase.CreateAsync();

    public async Task DisposeAsync() => await database.DisposeAsync();

    [Fact]
    public async Task Commands_succeed_and_the_process_stays_ready_and_reports_the_broker()
    {
        await using var closed = new BrokerProxy();
        closed.Close();
        await using var app = Start(closed.Url);
        using var client = CommandsApp.Client(app, CommandsApp.Key);

        (await client.PostAsJsonAsync("/categories", new { name = "Lamps" }))
            .StatusCode.ShouldBe(HttpStatusCode.Created);
        await TestKit.Eventually.Holds(async () => await database.HeadAsync() == 1, "the event has its position");

        await TestKit.Eventually.Holds(
            async () => await BrokerAsync(client) == "unavailable", "health names the broker");
        (await client.PostAsJsonAsync("/categories", new { name = "Candles" }))
            .StatusCode.ShouldBe(HttpStatusCode.Created);
        (await database.PublishedAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task An_idle_leader_and_its_standby_show_that_the_broker_is_unavailable_and_that_it_is_back()
    {
        await using var broker = new BrokerProxy();
        broker.Close();
        await using var leader = Start(broker.Url);
        await using var standby = Start(broker.Url);
        using var first = CommandsApp.Client(leader, CommandsApp.Key);
        using var second = CommandsApp.Client(standby, CommandsApp.Key);

        foreach (var client in (HttpClient[])[first, second])
        {
            await TestKit.Eventually.Holds(async () => await GaugeAsync(client) == 0, "the gauge shows the outage");
            await TestKit.Eventually.Holds(async () => await BrokerAsync(client) == "unavailable", "health names it");
        }

        broker.Open();
        foreach (var client in (HttpClient[])[first, second])
        {
            await TestKit.Eventually.Holds(
                async () => await GaugeAsync(client) == 1, "the gauge shows its end", TimeSpan.FromSeconds(60));
            await TestKit.Eventually.Holds(async () => await BrokerAsync(client) == "ok", "health shows its end");
        }

        (await database.HeadAsync()).ShouldBe(0);
    }

    private WebApplicationFactory<Program> Start(Uri broker) => CommandsApp.Start(
        database.Commands,
        ("Outbox:Enabled", "true"),
        ("Outbox:ConfirmTimeout", "00:00:00.500"),
        ("Outbox:ProbeInterval", "00:00:00.200"),
        ("Messaging:Url", broker.ToString()));

    private static async Task<double?> GaugeAsync(HttpClient client) =>
        MetricsText.Parse(await client.GetStringAsync("/metrics")).Value("apexshop_broker_up");

    private static async Task<string?> BrokerAsync(HttpClient client)
    {
        using var response = await client.GetAsync("/health/ready");
        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        return (await response.Content.ReadFromJsonAsync<JsonElement>())
            .GetProperty("checks")
            .GetProperty("rabbitmq")
            .GetString();
    }
}
