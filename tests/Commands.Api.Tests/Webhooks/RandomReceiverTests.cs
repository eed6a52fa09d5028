using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Microsoft.AspNetCore.Mvc.Testing;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>
/// Receivers that fail at random, and processes that stop at random: in the end each event was accepted once, and those
/// of an aggregate in order.
/// </summary>
public sealed class RandomReceiverTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    private static readonly int[] failures = [500, 503, 429, 422, -1, 307];

    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Theory]
    [MemberData(nameof(Seeds))]
    public async Task Every_event_is_accepted_once_and_in_the_order_of_its_aggregate(int seed)
    {
        // Of this test, and of the receiver, which responds meanwhile.
        var (random, responses) = (new Random(seed), new Random(seed));
        await using var receiver = await WebhookReceiver.StartAsync();
        var processes = new List<WebApplicationFactory<Program>> { shop.Start(), shop.Start() };
        var (id, _) = await WebhookShop.HookAsync(processes[0], receiver.Url);
        var (share, positions) = (random.Next(5, 50), new List<long>());
        receiver.Respond = _ =>
        {
            lock (responses)
                return Task.FromResult(responses.Next(100) < share ? failures[responses.Next(6)] : 200);
        };

        for (var part = 0; part < 4; part++)
        {
            positions.AddRange(await shop.AppendAsync(random.Next(1, 120), aggregates: random.Next(1, 30)));
            var stopped = random.Next(processes.Count);
            await processes[stopped].DisposeAsync();
            processes[stopped] = shop.Start();
        }

        lock (responses) share = 0;
        await shop.DeliveredAsync(id);
        foreach (var process in processes) await process.DisposeAsync();

        receiver.Accepted.ShouldBe(positions, ignoreOrder: true, $"seed {seed}");
        receiver.IsInOrder.ShouldBeTrue();
    }

    public static TheoryData<int> Seeds() => [1, Random.Shared.Next()];
}
