using System.Text;
using ApexShop.Events;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

public sealed class FollowerTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    private const int Writes = 160;

    [Fact]
    public async Task Followers_of_a_standby_see_each_position_once_in_order_while_the_leader_is_killed()
    {
        var leader = Shop.Commands;
        var other = await Shop.AddCommandsAsync();
        using var live = await SseClient.OpenAsync(other.Http, "/events/live?after=0");
        using var stop = new BlockCancellation();
        var (followed, fed) = (FollowAsync(live), FeedAsync(other, stop.Token));
        var traffic = await Traffic.PrepareAsync(Shop, products: 10, users: 3, stock: 1000);
        traffic.Through(other);

        var gate = new WriteGate();
        var writers =
            traffic.WriteAsync(gate, Writes, writers: 8, static (client, random) => client.AnythingAsync(random));
        gate.AllowUpTo(Writes / 2);
        await gate.DoneAsync(Writes / 4);
        await leader.KillAsync();
        gate.AllowUpTo(Writes);
        await writers;
        await Eventually.Holds(
            async () => await State.Database.ScalarAsync<long>("SELECT count(*) FROM shop.outbox") == 0,
            "another leads", TimeSpan.FromSeconds(60));

        var head =
            await State.Database.ScalarAsync<long>("SELECT position FROM shop.log_positions WHERE name = 'head'");
        head.ShouldBeGreaterThan(Writes / 2);
        await Eventually.Holds(() => Last(followed.Seen) == head && Last(fed.Seen) == head, "both are at the end");
        await stop.CancelAsync();
        var all = Enumerable.Range(1, (int)head).Select(n => (long)n);
        followed.Seen.ShouldBe(all);
        fed.Seen.ShouldBe(all);
    }

    private static long Last(List<long> seen)
    {
        lock (seen) return seen.LastOrDefault();
    }

    private static (List<long> Seen, Task Reading) FollowAsync(SseClient line)
    {
        var seen = new List<long>();
        return (seen, Task.Run(async () =>
        {
            while (await line.NextEventAsync() is { } record)
            {
                lock (seen) seen.Add(record.Id!.Value);
            }
        }));
    }

    // Polls for the events after the last one it has seen.
    private static (List<long> Seen, Task Reading) FeedAsync(ShopProcess process, CancellationToken ct)
    {
        var seen = new List<long>();
        return (seen, Task.Run(async () =>
        {
            while (!ct.IsCancellationRequested)
            {
                var text = await process.Http.GetStringAsync($"/events?after={Last(seen)}", CancellationToken.None);
                var positions = text.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                    .Select(line => CloudEvents.Read(Encoding.UTF8.GetBytes(line)).Position);
                lock (seen) seen.AddRange(positions);
            }
        }, CancellationToken.None));
    }
}
