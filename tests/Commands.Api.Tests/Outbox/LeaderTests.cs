using ApexShop.Commands.Api.Outbox;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Outbox;

public sealed class LeaderTests : FollowedLogTest
{
    [Fact]
    public async Task One_process_leads_and_when_it_stops_the_other_does()
    {
        // A lease that does not end by itself within the test.
        var first = await OutboxProcess.StartAsync(Database, Exchange, null, ("Outbox:Lease", "00:05:00"));
        await Eventually.Holds(first.LeadsAsync, "the first process leads");
        await using var second = await OutboxProcess.StartAsync(Database, Exchange);
        await Database.WriteAsync(Resource.Users.Name, 1, 1);
        await Eventually.Holds(() => Database.IsPublishedAsync(1), "the leader works");
        second.Status.IsLeader.ShouldBeFalse();

        await first.DisposeAsync();

        await Eventually.Holds(second.LeadsAsync, "the second process leads");
    }

    [Fact]
    public async Task Leaders_that_are_killed_under_load_leave_no_position_missing_or_doubled()
    {
        await using var first = await OutboxProcess.StartAsync(Database, Exchange);
        await using var second = await OutboxProcess.StartAsync(Database, Exchange);
        const int rows = 3_000;
        var writing = Parallel.ForAsync(0, rows / 100, async (part, _) =>
        {
            for (var row = 0; row < 100; row++) await Database.WriteAsync(Resource.Orders.Name, part, row + 1);
        });
        var killed = 0;
        while (!writing.IsCompleted)
        {
            killed += await Database.TerminateLeaderAsync();
            await Task.Delay(100);
        }

        await writing;
        killed.ShouldBeGreaterThan(0);
        await Eventually.Holds(() => Database.IsPublishedAsync(rows), "everything is published");
        await Database.ShouldBeWholeAsync(rows);
        await Eventually.Holds(
            () => Task.FromResult(Queue.Events.Select(entry => entry.Position).Distinct().Count() == rows),
            "everything arrived");
    }

    [Fact]
    public async Task The_status_has_the_leader_and_the_positions()
    {
        await using var process = await OutboxProcess.StartAsync(Database, Exchange);
        await Database.FillAsync(Resource.Products.Name, 3);
        await Eventually.Holds(() => Database.IsPublishedAsync(3), "the rows are published");

        await using var connections = NpgsqlDataSource.Create(Database.Commands);
        var sample = await OutboxSample.TakeAsync(connections, CancellationToken.None);

        process.Status.IsLeader.ShouldBeTrue();
        (sample.Head, sample.Published, sample.PendingAge).ShouldBe((3, 3, 0));
    }
}
