using System.Net;
using ApexShop.Events;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>What a receiver gets, and what happens with what it refuses.</summary>
public sealed class DeliveryTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task An_event_is_a_signed_cloud_event()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, secret) = await WebhookShop.HookAsync(process, receiver.Url + "/hook?token=1");

        var positions = await shop.AppendAsync(1);
        await shop.DeliveredAsync(id);

        var one = receiver.Received.ShouldHaveSingleItem();
        one.Entry.Position.ShouldBe(positions[0]);
        one.ContentType.ShouldBe("application/cloudevents+json; charset=utf-8");
        one.Id.ShouldBe(one.Entry.Id.ToString());
        one.IsSignedWith(secret).ShouldBeTrue();
        one.IsSignedWith("whsec_" + Convert.ToBase64String(new byte[32])).ShouldBeFalse();
        var age = TimeProvider.System.GetUtcNow() - DateTimeOffset.FromUnixTimeSeconds(long.Parse(one.Time, null));
        age.ShouldBeLessThan(TimeSpan.FromMinutes(5));
    }

    [Fact]
    public async Task The_page_has_the_headers_of_a_delivery()
    {
        var sent = new Dictionary<string, string>();
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        receiver.SetHeaders = response =>
            sent = response.HttpContext.Request.Headers.ToDictionary(header => header.Key, header => $"{header.Value}");
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);

        await shop.AppendAsync(1);
        await shop.DeliveredAsync(id);

        var rows = File.ReadLines(Path.Combine(Repository.Root, "docs", "webhooks.md"))
            .SkipWhile(line => line != "| header | value |").Skip(2).TakeWhile(line => line != "").ToList();
        rows.Select(row => row.Split('`')[1]).ShouldBe(sent.Keys.Except(["Host"]), ignoreOrder: true);
        foreach (var name in (string[])["Content-Type", "User-Agent"])
            rows.ShouldContain($"| `{name}` | `{sent[name]}` |");
    }

    [Fact]
    public async Task The_events_of_an_aggregate_arrive_once_and_in_order()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);

        var positions = await shop.AppendAsync(450);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }

    [Fact]
    public async Task Only_the_selected_types_are_sent()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(
            process, receiver.Url, EventTypes.OrderPlaced, EventTypes.ProductUpdated);

        await shop.AppendAsync(120);
        await shop.DeliveredAsync(id);

        receiver.Received.Select(one => one.Entry.Type).Distinct()
            .ShouldBe([EventTypes.OrderPlaced, EventTypes.ProductUpdated], ignoreOrder: true);
    }

    [Fact]
    public async Task A_refused_event_stops_its_aggregate_only_and_is_tried_again()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var refusals = 0;
        var bad = await shop.HeadAsync() + 3;
        receiver.Respond = entry =>
            Task.FromResult(entry.Position == bad && Interlocked.Increment(ref refusals) <= 3 ? 500 : 200);

        var positions = await shop.AppendAsync(60);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
        refusals.ShouldBe(4);
        var blocked = receiver.Received.First(one => one.Entry.Position == bad).Subject;
        receiver.Received.TakeWhile(one => one.Entry.Position != bad || one.Status != 200)
            .Where(one => one.Status == 200 && one.Entry.Position > bad).Select(one => one.Subject)
            .ShouldNotContain(blocked);
    }

    [Fact]
    public async Task Events_that_are_read_later_wait_behind_a_refused_one_of_their_aggregate_too()
    {
        await using var process = shop.Start();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var (bad, isMended) = (await shop.HeadAsync() + 1, false);
        receiver.Respond = entry => Task.FromResult(entry.Position == bad && !isMended ? 500 : 200);

        var positions = new List<long>();
        for (var i = 0; i < 3; i++)
        {
            positions.AddRange(await shop.AppendAsync(12, aggregates: 2));
            await Eventually.Holds(
                async () => (await shop.ReadWebhookAsync(id)).GetProperty("behind").GetInt64() == 0,
                "the log is read to its end");
        }

        var blocked = receiver.Received.First(one => one.Entry.Position == bad).Subject;
        receiver.Received.Where(one => one.Subject == blocked).ShouldAllBe(one => one.Entry.Position == bad);
        isMended = true;
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }

    [Fact]
    public async Task An_event_that_fails_for_too_long_is_parked_until_it_is_replayed()
    {
        await using var process = shop.Start(("Webhooks:ParkAfter", "00:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var bad = await shop.HeadAsync() + 1;
        var isMended = false;
        receiver.Respond = entry => Task.FromResult(entry.Position == bad && !isMended ? 422 : 200);

        var positions = await shop.AppendAsync(40);
        await Eventually.Holds(
            async () => (await shop.UndeliveredAsync(id)).Count(one => one.GetProperty("attempts").GetInt32() > 0) == 1,
            "one event is parked");
        var parked = (await shop.UndeliveredAsync(id))[0];
        parked.GetProperty("position").GetInt64().ShouldBe(bad);
        parked.GetProperty("lastFailure").GetString().ShouldBe("Response 422.");
        parked.GetProperty("parkedAt").GetString().ShouldNotBeNull();
        isMended = true;
        await shop.App.PostAsync($"/admin/webhooks/{id}/replay?position={bad}", "");
        await shop.DeliveredAsync(id);

        (await shop.UndeliveredAsync(id)).ShouldBeEmpty();
        receiver.Accepted.ShouldBe(positions, ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }

    [Fact]
    public async Task A_discarded_event_lets_those_behind_it_pass()
    {
        await using var process = shop.Start(("Webhooks:ParkAfter", "00:00:00"));
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        var bad = await shop.HeadAsync() + 1;
        receiver.Respond = entry => Task.FromResult(entry.Position == bad ? 400 : 200);

        var positions = await shop.AppendAsync(40);
        await Eventually.Holds(
            async () => await shop.UndeliveredAsync(id) is [var first, _, ..]
                && first.GetProperty("attempts").GetInt32() > 0,
            "events wait behind the parked one");
        (await shop.App.DeleteAsync($"/admin/webhooks/{id}/undelivered/{bad}"))
            .Status.ShouldBe(HttpStatusCode.NoContent);
        await shop.DeliveredAsync(id);

        receiver.Accepted.ShouldBe(positions.Where(one => one != bad), ignoreOrder: true);
        receiver.IsInOrder.ShouldBeTrue();
    }
}
