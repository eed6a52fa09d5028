using ApexShop.Commands.Api.Tests.Outbox;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>The promise of the log to those who follow it: each position once, in order, none missing.</summary>
public sealed class GaplessFeedTests : FollowedLogTest
{
    private const int Writers = 32;
    private const int Changes = 40;
    private const int Count = Writers * Changes;

    [Fact]
    public async Task Followers_see_every_position_once_and_in_order_while_32_writers_commit_when_they_like()
    {
        await using var leader = await OutboxProcess.StartAsync(Database, Exchange);
        await using var app = CommandsApp.Start(Database.Commands, ("Events:TailEvents", "64"));
        using var http = CommandsApp.Client(app, CommandsApp.Key);
        using var live = await LiveLine.OpenAsync(http, "/events/live");
        using var orders = await LiveLine.OpenAsync(http, "/events/live?resource=orders");
        var following = live.TakeAsync(Count);
        var feeding = FeedAsync(http);

        await Task.WhenAll(Enumerable.Range(1, Writers).Select(WriteAsync));

        var all = Enumerable.Range(1, Count).Select(n => (long)n).ToList();
        (await following).ShouldBe(all);
        (await feeding).ShouldBe(all);
        var expected = await Database.RowsAsync("SELECT position FROM shop.events WHERE resource = 'orders' ORDER BY position", row => row.GetInt64(0));
        (await orders.TakeAsync(expected.Count)).ShouldBe(expected);
        await Database.ShouldBeWholeAsync(Count);
    }

    // Goes on after the last event it has seen, over and over.
    private static async Task<List<long>> FeedAsync(HttpClient http)
    {
        var seen = new List<long>();
        while (seen.Count < Count)
        {
            using var response = await http.GetAsync($"/events?after={seen.LastOrDefault()}");
            seen.AddRange((await FeedAnswer.ReadAsync(response)).Positions);
        }

        return seen;
    }

    // Each writer changes one aggregate and gives up one transaction in four.
    private async Task WriteAsync(int writer)
    {
        var random = new Random(writer);
        var resource = Resource.Names[writer % Resource.Names.Count];
        for (long version = 1; version <= Changes;)
        {
            await using var connection = await Database.Writer.OpenConnectionAsync();
            await using var transaction = await connection.BeginTransactionAsync();
            await LogDatabase.WriteAsync(connection, resource, writer, version);
            await Task.Delay(random.Next(12));
            if (random.Next(4) == 0)
            {
                await transaction.RollbackAsync();
                continue;
            }

            await transaction.CommitAsync();
            version++;
        }
    }
}
