using System.Net;
using ApexShop.Commands.Api.Webhooks.Delivering;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>How long a webhook and its events pause, and what ends a pause.</summary>
public sealed class DeliveryPauseTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Theory]
    [InlineData("600", 600)]
    [InlineData("2147483648", 3600)]
    [InlineData("99999999999999999999", 3600)]
    [InlineData("0", 1800)]
    [InlineData("-5", 1800)]
    [InlineData("soon", 1800)]
    [InlineData("5 6", 1800)]
    public async Task The_pause_that_a_receiver_requires_is_kept_up_to_the_longest(string retryAfter, int seconds)
    {
        await using var process = shop.Start(
            ("Webhooks:FirstPause", "00:30:00"), ("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(503);
        receiver.SetHeaders = response => response.Headers.RetryAfter = retryAfter;

        await shop.AppendAsync(1);
        await Eventually.Holds(
            async () => WebhookShop.Text(await shop.ReadWebhookAsync(id), "state") == "Failing", "the webhook pauses");

        var failing = await shop.ReadWebhookAsync(id);
        var pause = failing.GetProperty("nextAttemptAt").GetDateTime()
            - failing.GetProperty("failingSince").GetDateTime();
        ((int)pause.TotalMinutes).ShouldBe(seconds / 60);
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
    public async Task An_event_that_fails_alone_again_and_again_delays_no_other()
    {
        await using var process = shop.Start(
            ("Webhooks:FirstPause", "00:00:00.010"), ("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var bad = await shop.HeadAsync() + 1;
        receiver.Respond = entry => Task.FromResult(entry.Position == bad ? -1 : 200);

        await shop.AppendAsync(1);
        await Eventually.Holds(
            async () => (await shop.UndeliveredAsync(id)) is [var one] && one.GetProperty("attempts").GetInt32() >= 5,
            "the event fails five times");
        var pauses = await shop.App.ScalarAsync<string>(
            """
            SELECT concat_ws(' ', failures, webhook.next_attempt_at < event.next_attempt_at)
            FROM shop.webhooks AS webhook JOIN shop.webhook_deliveries AS event ON webhook_id = id
            """);
        pauses.ShouldBe("1 t");
        var others = await shop.AppendAsync(1);

        await Eventually.Holds(() => receiver.Accepted.Contains(others[0]), "the other event is delivered");
    }

    [Fact]
    public async Task A_slow_receiver_gets_a_refused_event_again_before_it_has_caught_up()
    {
        await using var process = shop.Start(
            ("Webhooks:FirstPause", "00:00:00.010"), ("Webhooks:LongestPause", "00:00:00.010"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var refused = await shop.HeadAsync() + 1;
        // A batch of new events takes longer than the webhook's turn.
        receiver.Respond = async entry =>
        {
            if (entry.Position == refused) return receiver.Accepted.Count > 0 ? 200 : 500;
            await Task.Delay(TimeSpan.FromSeconds(0.5));
            return 200;
        };
        await shop.AppendAsync(1);
        await Eventually.Holds(async () => await shop.UndeliveredAsync(id) is [_], "the event is refused");

        await shop.AppendAsync(300, aggregates: 300);

        await Eventually.Holds(() => receiver.Accepted.Contains(refused), "it is sent again", TimeSpan.FromMinutes(2));
        receiver.Accepted.ToList().IndexOf(refused).ShouldBeLessThan(150);
    }

    [Fact]
    public void Each_further_failure_doubles_the_pause_up_to_the_longest()
    {
        var options = new WebhookOptions
        {
            FirstPause = TimeSpan.FromMilliseconds(10), LongestPause = TimeSpan.FromMilliseconds(200),
        };

        Enumerable.Range(1, 6).Select(failures => options.PauseAfter(failures).TotalMilliseconds)
            .ShouldBe([10, 20, 40, 80, 160, 200]);
    }

    [Fact]
    public async Task Each_new_event_at_which_the_receiver_is_unavailable_is_a_further_failure_of_the_webhook()
    {
        await using var process = shop.Start(
            ("Webhooks:FirstPause", "00:00:00.010"), ("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(503);

        await shop.AppendAsync(30, aggregates: 30);
        await Eventually.Holds(
            async () => await shop.App.ScalarAsync<int>("SELECT failures FROM shop.webhooks") >= 5, "five failures");

        receiver.Respond = _ => Task.FromResult(200);
        await shop.DeliveredAsync(id);
    }

    [Fact]
    public async Task The_events_of_an_outage_are_sent_when_the_receiver_accepts_another()
    {
        await using var process = shop.Start(("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(503);
        receiver.SetHeaders = response => response.Headers.RetryAfter = "3600";
        var positions = await shop.AppendAsync(1);
        await Eventually.Holds(
            async () => WebhookShop.Text(await shop.ReadWebhookAsync(id), "state") == "Failing", "the webhook pauses");

        receiver.Respond = _ => Task.FromResult(200);
        receiver.SetHeaders = _ => { };
        await shop.ExecuteAsync("UPDATE shop.webhooks SET next_attempt_at = now()");
        // The event still has its own pause, and no other waits.
        var waiting = (await shop.UndeliveredAsync(id))[0];
        WebhookShop.Text(await shop.ReadWebhookAsync(id), "nextAttemptAt")
            .ShouldBe(WebhookShop.Text(waiting, "nextAttemptAt"));
        positions = [.. await shop.AppendAsync(1), .. positions];
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions);
    }

    [Fact]
    public async Task An_event_that_fails_alone_is_parked_once_the_receiver_accepts_others()
    {
        await using var process = shop.Start(("Webhooks:ParkAfter", "00:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var bad = await shop.HeadAsync() + 1;
        receiver.Respond = entry => Task.FromResult(entry.Position == bad ? 502 : 200);
        await shop.AppendAsync(1);
        await Eventually.Holds(() => receiver.Arrived >= 3, "it fails again and again");
        (await shop.ReadWebhookAsync(id)).GetProperty("parked").GetInt32().ShouldBe(0);

        for (var i = 0; i < 2; i++)
        {
            var others = await shop.AppendAsync(1);
            await Eventually.Holds(() => receiver.Accepted.Contains(others[0]), "another event is delivered");
            var arrived = receiver.Arrived;
            await Eventually.Holds(
                async () => receiver.Arrived > arrived || await ParkedAsync() == 1, "the event fails after it");
        }

        await Eventually.Holds(async () => await ParkedAsync() == 1, "the event is parked");

        async Task<int> ParkedAsync() => (await shop.ReadWebhookAsync(id)).GetProperty("parked").GetInt32();
    }
}
