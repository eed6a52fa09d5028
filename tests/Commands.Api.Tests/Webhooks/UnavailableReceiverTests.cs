using System.Net;
using System.Text.Json;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Microsoft.AspNetCore.Mvc.Testing;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>The receiver is unavailable, or processes end or hang: nothing is lost, and the order stays.</summary>
public sealed class UnavailableReceiverTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Theory]
    [InlineData(503)]
    [InlineData(429)]
    [InlineData(-1)]
    public async Task An_unavailable_receiver_gets_everything_later_in_order(int status)
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(status);

        var positions = await shop.AppendAsync(150);
        await Eventually.Holds(
            async () => Text(await shop.ReadWebhookAsync(id), "state") == "Failing"
                && receiver.Received.Count >= 8,
            "the webhook pauses");
        // One attempt at a time after a pause, and not one for each event.
        receiver.Received.Count.ShouldBeLessThan(60);
        Text(await shop.ReadWebhookAsync(id), "lastFailure")
            .ShouldBe(status < 0 ? "No valid HTTP response." : $"Response {status}.");
        receiver.Respond = _ => Task.FromResult(204);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
        var after = await shop.ReadWebhookAsync(id);
        Text(after, "state").ShouldBe("Delivering");
        Text(after, "lastFailure").ShouldBeNull();
    }

    [Fact]
    public async Task A_receiver_that_does_not_respond_is_unavailable()
    {
        await using var process = shop.Start(("Webhooks:Timeout", "00:00:00.200"));
        await using var receiver = await WebhookReceiver.StartAsync();
        using var release = new ManualResetEventSlim();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = async _ =>
        {
            await Task.Run(() => release.Wait(TimeSpan.FromSeconds(20)));
            return 200;
        };

        await shop.AppendAsync(3);
        await Eventually.Holds(
            async () => Text(await shop.ReadWebhookAsync(id), "lastFailure") == "No response within 0.2 s.",
            "the attempt ends");
        release.Set();
        await shop.DeliveredAsync(id);
    }

    [Fact]
    public async Task The_pause_that_a_receiver_asks_for_is_kept_up_to_the_longest()
    {
        await using var process = shop.Start(("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(503);
        receiver.SetHeaders = response => response.Headers.RetryAfter = "600";

        await shop.AppendAsync(1);
        await Eventually.Holds(
            async () => Text(await shop.ReadWebhookAsync(id), "state") == "Failing", "the webhook pauses");

        var next = (await shop.ReadWebhookAsync(id)).GetProperty("nextAttemptAt").GetDateTime();
        var pause = next - TimeProvider.System.GetUtcNow().UtcDateTime;
        pause.ShouldBeInRange(TimeSpan.FromMinutes(9), TimeSpan.FromMinutes(11));
        receiver.Respond = _ => Task.FromResult(200);
        (await shop.App.PostAsync($"/admin/webhooks/{id}/replay", "")).Status.ShouldBe(HttpStatusCode.OK);
        await shop.DeliveredAsync(id);
    }

    [Fact]
    public async Task One_event_that_makes_the_receiver_fail_does_not_stop_the_others()
    {
        await using var process = shop.Start(("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var bad = await shop.HeadAsync() + 1;
        receiver.Respond = entry => Task.FromResult(entry.Position == bad ? 502 : 200);

        var positions = await shop.AppendAsync(40);
        for (var i = 0; i < 12; i++)
        {
            await Eventually.Holds(
                async () => (await shop.ReadWebhookAsync(id)).GetProperty("behind").GetInt64() == 0,
                "the log is read to its end");
            positions = [.. positions, .. await shop.AppendAsync(20)];
        }

        var subject = receiver.Received.First(one => one.Entry.Position == bad).Subject;
        var others = (await shop.ReadAsync($"/events?after={positions[0]}")).Events
            .Where(one => $"{one.Resource}/{one.AggregateId}" != subject).Select(one => one.Position).ToList();

        await Eventually.Holds(() => others.TrueForAll(receiver.Accepted.Contains), "the others are delivered");
        receiver.Respond = _ => Task.FromResult(200);
        await shop.App.PostAsync($"/admin/webhooks/{id}/replay", "");
        await shop.DeliveredAsync(id);
        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }

    [Fact]
    public async Task A_receiver_that_limits_its_rate_gets_everything_soon()
    {
        await using var process = shop.Start(("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var count = 0;
        receiver.Respond = _ => Task.FromResult(Interlocked.Increment(ref count) % 15 == 0 ? 429 : 200);

        var positions = await shop.AppendAsync(300, aggregates: 40);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }

    [Fact]
    public async Task An_outage_of_the_receiver_parks_nothing()
    {
        await using var process = shop.Start(("Webhooks:ParkAfter", "00:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(503);

        var positions = await shop.AppendAsync(1);
        await Eventually.Holds(() => receiver.Arrived >= 5, "the event is tried again and again");
        (await shop.ReadWebhookAsync(id)).GetProperty("parked").GetInt32().ShouldBe(0);
        receiver.Respond = _ => Task.FromResult(200);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions);
    }

    [Fact]
    public async Task The_time_of_an_outage_does_not_count_for_an_event_that_is_refused_before_and_after_it()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(receiver.Arrived == 1 ? 500 : 503);
        var positions = await shop.AppendAsync(1);
        await Eventually.Holds(
            async () => Text(await shop.ReadWebhookAsync(id), "state") == "Failing", "the outage begins");
        // So it has lasted for four days, and an event is parked after three.
        await shop.ExecuteAsync("""
            UPDATE shop.webhook_deliveries SET failing_since = failing_since - interval '4 days';
            UPDATE shop.webhooks SET failing_since = failing_since - interval '4 days'
            """);

        var refused = 0;
        receiver.Respond = _ => Task.FromResult(Interlocked.Increment(ref refused) == 1 ? 500 : 200);
        await shop.DeliveredAsync(id);

        refused.ShouldBe(2);
        receiver.Accepted.ShouldBe(positions);
    }

    [Fact]
    public async Task After_a_change_of_the_address_no_further_attempt_uses_the_earlier_one()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        await using var other = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        using var release = new SemaphoreSlim(0);
        receiver.Respond = async _ =>
        {
            await release.WaitAsync(TimeSpan.FromSeconds(20));
            return 200;
        };

        var positions = await shop.AppendAsync(20, aggregates: 20);
        await Eventually.Holds(() => receiver.Arrived == 4, "as many attempts begin as are made at a time");
        using var http = CommandsApp.Client(process, CommandsApp.Key);
        using var body = WebhookShop.Json(new { url = other.Url });
        (await http.PutAsync($"/admin/webhooks/{id}", body)).StatusCode.ShouldBe(HttpStatusCode.NoContent);
        release.Release(positions.Count);
        await shop.DeliveredAsync(id);

        receiver.Arrived.ShouldBe(4);
        receiver.Accepted.Concat(other.Accepted).ShouldBe(positions, ignoreOrder: true);
    }

    [Theory]
    [InlineData(503)]
    [InlineData(200)]
    public async Task What_an_operator_changes_during_an_attempt_stays_and_is_done_at_once(int status)
    {
        await using var process = shop.Start(
            ("Webhooks:FirstPause", "01:00:00"), ("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        await using var other = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        using var release = new SemaphoreSlim(0);
        receiver.Respond = async _ =>
        {
            await release.WaitAsync(TimeSpan.FromSeconds(20));
            return status;
        };

        var positions = await shop.AppendAsync(1);
        await Eventually.Holds(() => receiver.Arrived == 1, "the attempt begins");
        using var http = CommandsApp.Client(process, CommandsApp.Key);
        using var body = WebhookShop.Json(new { url = other.Url });
        (await http.PutAsync($"/admin/webhooks/{id}", body)).StatusCode.ShouldBe(HttpStatusCode.NoContent);
        release.Release();
        var later = await shop.AppendAsync(1);
        await shop.DeliveredAsync(id);

        other.Accepted.ShouldBe(status == 200 ? later : [.. positions, .. later], ignoreOrder: true);
    }

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

        var positions = await shop.AppendAsync(1);
        await Eventually.Holds(() => receiver.Arrived == 1, "the first process sends the event");
        await shop.App.ScalarAsync<object>("UPDATE shop.webhooks SET claim = 2");
        release.Release();
        // It ends when its attempt is stored, or refused.
        await hung.DisposeAsync();
        receiver.Accepted.ShouldBe(positions);
        (await shop.ReadWebhookAsync(id)).GetProperty("behind").GetInt64().ShouldBe(1);

        await shop.App.ScalarAsync<object>("UPDATE shop.webhooks SET claimed_until = now()");
        release.Release();
        await using var other = shop.Start();
        await shop.DeliveredAsync(id);
        receiver.Accepted.ShouldBe([positions[0], positions[0]]);
    }

    private static string? Text(JsonElement webhook, string member) => webhook.GetProperty(member).GetString();
}
