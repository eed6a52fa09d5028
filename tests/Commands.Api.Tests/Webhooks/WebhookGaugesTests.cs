using System.Diagnostics.Metrics;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using ApexShop.TestKit.Metrics;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>What the gauges, and the state of a webhook, show of events that are not delivered.</summary>
public sealed class WebhookGaugesTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    private static readonly (string Key, string Value) sampled = ("Telemetry:SampleSeconds", "0.1");

    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task A_refused_event_is_shown_although_others_are_accepted_until_it_is_accepted()
    {
        await using var process = shop.Start(sampled);
        await using var receiver = await WebhookReceiver.StartAsync();
        using var metered = Metered(process);
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var (bad, isMended) = (await shop.HeadAsync() + 1, false);
        receiver.Respond = entry => Task.FromResult(entry.Position == bad && !isMended ? 401 : 200);

        await shop.AppendAsync(5);
        await Eventually.Holds(
            async () => WebhookShop.Text(await shop.ReadWebhookAsync(id), "state") == "Refusing",
            "an event is refused");
        await shop.ExecuteAsync(
            "UPDATE shop.webhook_deliveries SET failing_since = failing_since - interval '2 hours'");
        await Eventually.Holds(
            () => metered.Read() is var page && page.Value("apexshop_webhooks_refusing_seconds") >= 7200
                && page.Value("apexshop_webhooks_failing_seconds") == 0,
            "the gauge shows two hours");

        isMended = true;
        await shop.DeliveredAsync(id);
        WebhookShop.Text(await shop.ReadWebhookAsync(id), "state").ShouldBe("Delivering");
        await Eventually.Holds(
            () => metered.Read().Value("apexshop_webhooks_refusing_seconds") == 0, "the gauge shows nothing");
    }

    [Fact]
    public async Task An_outage_of_the_receiver_and_a_parked_event_are_no_refusal()
    {
        await using var process = CommandsApp.Start(shop.App.Database.Commands, sampled);
        using var metered = Metered(process);
        var (id, _) = await WebhookShop.HookAsync(process, "https://example.com/unavailable");
        await shop.ExecuteAsync(
            $"""
            UPDATE shop.webhooks SET failures = 1, failing_since = clock_timestamp() - interval '1 hour';
            INSERT INTO shop.webhook_deliveries (
                webhook_id, position, type, resource, aggregate_id, attempts, failing_since, parked_at)
            VALUES ({id}, 1, 'apexshop.order.placed', 'orders', 1, 1, clock_timestamp() - interval '3 hours', NULL),
                ({id}, 2, 'apexshop.order.placed', 'orders', 2, 1, clock_timestamp() - interval '9 hours', now())
            """);

        await Eventually.Holds(
            () => metered.Read() is var page
                && page.Value("apexshop_webhooks_refusing_seconds") is > 7100.0 and < 7300.0
                && page.Value("apexshop_webhooks_failing_seconds") >= 3600
                && page.Value("apexshop_webhooks_parked") == 1,
            "the gauge shows two hours");
        WebhookShop.Text(await shop.ReadWebhookAsync(id), "state").ShouldBe("Failing");
    }

    [Fact]
    public async Task An_active_webhook_of_another_key_is_counted_until_it_has_a_new_secret()
    {
        await using var process = CommandsApp.Start(shop.App.Database.Commands, sampled);
        await using var restored = CommandsApp.Start(
            shop.App.Database.Commands, ("Webhooks:Key", TestKeys.Sessions), sampled);
        await using var keyless = CommandsApp.Start(shop.App.Database.Commands, ("Webhooks:Key", ""), sampled);
        using var own = Metered(process);
        using var ofOther = Metered(restored);
        using var ofNone = Metered(keyless);
        var (id, _) = await WebhookShop.HookAsync(process, "https://example.com/restored");

        await Eventually.Holds(
            () => CountIn(own) == 0 && CountIn(ofOther) == 1 && CountIn(ofNone) == 1, "the other processes count it");
        await shop.ExecuteAsync("UPDATE shop.webhooks SET is_active = false");
        await Eventually.Holds(() => CountIn(ofOther) == 0, "an inactive one is not counted");
        await shop.ExecuteAsync("UPDATE shop.webhooks SET is_active = true");
        await Eventually.Holds(() => CountIn(ofOther) == 1, "it is active again");

        using var http = CommandsApp.Client(restored, CommandsApp.Key);
        using var renewed = await http.PostAsync($"/admin/webhooks/{id}/secret", null);
        renewed.EnsureSuccessStatusCode();
        await Eventually.Holds(() => CountIn(ofOther) == 0, "it has a secret of the other key");
    }

    private static double? CountIn(MeterReader metered) => metered.Read().Value("apexshop_webhooks_other_key");

    private static MeterReader Metered(WebApplicationFactory<Program> process) =>
        new(process.Services.GetRequiredService<IMeterFactory>());
}
