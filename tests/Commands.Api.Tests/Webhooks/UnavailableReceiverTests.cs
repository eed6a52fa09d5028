using System.Net;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>The receiver is unavailable: nothing is lost, nothing is parked, and the order stays.</summary>
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
            async () => WebhookShop.Text(await shop.ReadWebhookAsync(id), "state") == "Failing"
                && receiver.Received.Count >= 8,
            "the webhook pauses");
        // One attempt at a time after a pause, and not one for each event.
        receiver.Received.Count.ShouldBeLessThan(60);
        WebhookShop.Text(await shop.ReadWebhookAsync(id), "lastFailure")
            .ShouldBe(status < 0 ? "No valid HTTP response." : $"Response {status}.");
        receiver.Respond = _ => Task.FromResult(204);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
        var after = await shop.ReadWebhookAsync(id);
        WebhookShop.Text(after, "state").ShouldBe("Delivering");
        WebhookShop.Text(after, "lastFailure").ShouldBeNull();
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
            async () => WebhookShop.Text(await shop.ReadWebhookAsync(id), "lastFailure") == "No response within 0.2 s.",
            "the attempt ends");
        release.Set();
        await shop.DeliveredAsync(id);
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
            async () => WebhookShop.Text(await shop.ReadWebhookAsync(id), "state") == "Failing", "the outage begins");
        // So it has lasted for four days, and an event is parked after three. Locked in the order of the process.
        await shop.ExecuteAsync("""
            UPDATE shop.webhooks SET failing_since = failing_since - interval '4 days';
            UPDATE shop.webhook_deliveries SET failing_since = failing_since - interval '4 days'
            """);

        var refused = 0;
        receiver.Respond = _ => Task.FromResult(Interlocked.Increment(ref refused) == 1 ? 500 : 200);
        await shop.DeliveredAsync(id);

        refused.ShouldBe(2);
        receiver.Accepted.ShouldBe(positions);
    }
}
