using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Microsoft.AspNetCore.Mvc.Testing;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>Processes end, hang or share the work: nothing is lost, and the order stays.</summary>
public sealed class DeliveryProcessTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task Several_processes_deliver_each_event_once()
    {
        await using var one = shop.Start();
        await using var other = shop.Start();
        await using var third = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(one, receiver.Url);

        var positions = await shop.AppendAsync(600, aggregates: 20);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }

    [Fact]
    public async Task A_process_that_stops_repeats_nothing()
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        var processes = new List<WebApplicationFactory<Program>> { shop.Start() };
        var (id, _) = await WebhookShop.HookAsync(processes[0], receiver.Url);
        receiver.Respond = async _ =>
        {
            await Task.Delay(2);
            return 200;
        };

        var positions = await shop.AppendAsync(400);
        for (var i = 1; i <= 3; i++)
        {
            await Eventually.Holds(() => receiver.Received.Count > i * 60, "some are delivered");
            await processes[^1].DisposeAsync();
            processes.Add(shop.Start());
        }

        await shop.DeliveredAsync(id);
        await processes[^1].DisposeAsync();

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }

    [Fact]
    public async Task A_failed_look_at_the_webhook_repeats_nothing_that_was_sent_before_it()
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        await using var process = shop.Start();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var fifth = await shop.HeadAsync() + 5;
        NpgsqlConnection? held = null;
        receiver.Respond = async entry =>
        {
            if (entry.Position == fifth) held ??= await shop.App.Database.HoldAsync("LOCK TABLE shop.webhooks");
            return 200;
        };

        var positions = await shop.AppendAsync(10, aggregates: 1);
        try
        {
            await Eventually.Holds(
                async () => await shop.App.ScalarAsync<long>("""
                    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock'
                        AND query LIKE 'SELECT EXISTS (SELECT FROM shop.webhooks%'
                    """) > 0,
                "the session that looks at the webhook is ended");
        }
        finally
        {
            // The tests after this one need the table.
            if (held is not null) await held.DisposeAsync();
        }

        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }

    [Fact]
    public async Task A_clock_of_the_database_that_is_set_back_stops_no_delivery()
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        await using var process = shop.Start();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        await shop.App.ScalarAsync<object>("""
            UPDATE shop.webhooks
            SET claimed_until = now() + interval '1 day', next_attempt_at = now() + interval '2 days'
            """);

        var positions = await shop.AppendAsync(1);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions);
    }

    [Fact]
    public async Task A_clock_of_the_database_that_is_set_back_stops_no_event_that_failed()
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        receiver.Respond = _ => Task.FromResult(400);
        var first = shop.Start();
        var (id, _) = await WebhookShop.HookAsync(first, receiver.Url);
        var positions = await shop.AppendAsync(1);
        await Eventually.Holds(
            async () => await shop.App.ScalarAsync<long>(
                "SELECT count(*) FROM shop.webhook_deliveries WHERE attempts > 0") == 1,
            "the event is refused");
        await first.DisposeAsync();
        await shop.App.ScalarAsync<object>(
            "UPDATE shop.webhook_deliveries SET next_attempt_at = now() + interval '2 days'");
        receiver.Respond = _ => Task.FromResult(200);

        await using var later = shop.Start();
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions);
    }

    [Fact]
    public async Task A_claim_that_another_process_has_taken_over_changes_nothing()
    {
        await using var receiver = await WebhookReceiver.StartAsync();
        var hung = shop.Start();
        var (id, _) = await WebhookShop.HookAsync(hung, receiver.Url);
        using var release = new SemaphoreSlim(0);
        receiver.Respond = async _ =>
        {
            await release.WaitAsync(TimeSpan.FromSeconds(20));
            return 200;
        };

        var positions = await shop.AppendAsync(2, aggregates: 1);
        await Eventually.Holds(() => receiver.Arrived == 1, "the first process sends the first event");
        await shop.App.ScalarAsync<object>("UPDATE shop.webhooks SET claim = 2");
        release.Release(2);
        // The next attempt would begin within milliseconds.
        await Task.Delay(TimeSpan.FromSeconds(1));
        await hung.DisposeAsync();
        receiver.Accepted.ShouldBe([positions[0]]);
        (await shop.ReadWebhookAsync(id)).GetProperty("behind").GetInt64().ShouldBe(2);

        await shop.App.ScalarAsync<object>("UPDATE shop.webhooks SET claimed_until = now()");
        release.Release(2);
        await using var other = shop.Start();
        await shop.DeliveredAsync(id);
        receiver.Accepted.ShouldBe([positions[0], .. positions]);
    }
}
