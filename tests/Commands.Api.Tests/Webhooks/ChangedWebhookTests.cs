using System.Net;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>An operator changes a webhook while its events are sent, or wait.</summary>
public sealed class ChangedWebhookTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task After_a_change_of_the_address_no_further_attempt_uses_the_earlier_one()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        await using var other = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        using var release = Hold(receiver, status: 200);

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
        using var release = Hold(receiver, status);

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
    public async Task A_replaced_webhook_sends_at_once_what_failed_in_an_outage()
    {
        await using var process = shop.Start(("Webhooks:LongestPause", "01:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        await using var other = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(503);
        receiver.SetHeaders = response => response.Headers.RetryAfter = "3600";
        var positions = await shop.AppendAsync(1);
        await Eventually.Holds(
            async () => WebhookShop.Text(await shop.ReadWebhookAsync(id), "state") == "Failing", "the webhook pauses");

        using var http = CommandsApp.Client(process, CommandsApp.Key);
        using var body = WebhookShop.Json(new { url = other.Url });
        (await http.PutAsync($"/admin/webhooks/{id}", body)).StatusCode.ShouldBe(HttpStatusCode.NoContent);
        await shop.DeliveredAsync(id);

        other.Accepted.ShouldBe(positions);
    }

    /// <summary>The receiver responds to an attempt when it is released.</summary>
    private static SemaphoreSlim Hold(WebhookReceiver receiver, int status)
    {
        var release = new SemaphoreSlim(0);
        receiver.Respond = async _ =>
        {
            await release.WaitAsync(TimeSpan.FromSeconds(20));
            return status;
        };
        return release;
    }
}
