using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Microsoft.AspNetCore.Hosting;

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
        await using var parent = CommandsApp.Start(database.Commands);
        await using var app = parent.WithWebHostBuilder(host =>
        {
            host.UseSetting("Outbox:Enabled", "true");
            host.UseSetting("Outbox:ConfirmTimeout", "00:00:00.500");
            host.UseSetting("Messaging:Url", closed.Url.ToString());
        });
        app.UseKestrel();
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
