using ApexShop.Events;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Outbox;

public sealed class LeaderTests : IAsyncLifetime
{
    private readonly string exchange = $"test.leader.{Guid.NewGuid():N}";

    private LogDatabase database = null!;
    private EventQueue queue = null!;

    public async Task InitializeAsync()
    {
        database = await LogDatabase.CreateAsync();
        queue = await EventQueue.BindAsync(exchange, "#");
    }

    public async Task DisposeAsync()
    {
        await queue.DisposeAsync();
        await database.DisposeAsync();
    }

    [Fact]
    public async Task One_process_leads_and_when_it_stops_the_other_does()
    {
        var first = await OutboxProcess.StartAsync(database, exchange);
        await Eventually.Holds(first.LeadsAsync, "the first process leads");
        await using var second = await OutboxProcess.StartAsync(database, exchange);
        await database.WriteAsync(Resources.Users, 1, 1);
        await Eventually.Holds(() => database.IsPublishedAsync(1), "the leader works");
        second.Status.IsLeader.ShouldBeFalse();

        await first.DisposeAsync();

        await Eventually.Holds(second.LeadsAsync, "the second process leads", TimeSpan.FromSeconds(3));
    }

    [Fact]
    public async Task Leaders_that_are_killed_under_load_leave_no_position_missing_or_doubled()
    {
        await using var first = await OutboxProcess.StartAsync(database, exchange);
        await using var second = await OutboxProcess.StartAsync(database, exchange);
        const int rows = 3_000;
        var writing = Parallel.ForAsync(0, rows / 100, async (part, _) =>
        {
            for (var row = 0; row < 100; row++) await database.WriteAsync(Resources.Orders, part, row + 1);
        });
        var killed = 0;
        while (!writing.IsCompleted)
        {
            killed += await database.TerminateLeaderAsync();
            await Task.Delay(100);
        }

        await writing;
        killed.ShouldBeGreaterThan(0);
        await Eventually.Holds(() => database.IsPublishedAsync(rows), "everything is published");
        await database.ShouldBeWholeAsync(rows);
        await Eventually.Holds(
            () => Task.FromResult(queue.Events.Select(entry => entry.Position).Distinct().Count() == rows), "everything arrived");
    }

    [Fact]
    public async Task The_status_tells_who_leads_and_how_far_the_log_is()
    {
        await using var process = await OutboxProcess.StartAsync(database, exchange);
        await database.FillAsync(Resources.Products, 3);
        await Eventually.Holds(() => database.IsPublishedAsync(3), "the rows are published");

        var positions = await process.Status.PositionsAsync(CancellationToken.None);

        process.Status.IsLeader.ShouldBeTrue();
        (positions.Head, positions.Published, positions.OutboxAge).ShouldBe((3, 3, TimeSpan.Zero));
    }
}
