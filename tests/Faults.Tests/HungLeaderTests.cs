using ApexShop.Resources;

namespace ApexShop.Faults.Tests;

/// <summary>A leader is stopped by SIGSTOP, while the kernel keeps its sessions open, and continues later.</summary>
public sealed class HungLeaderTests
{
    // The lease of a leader that hangs ends after ten seconds; other work may share the machine.
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(40);

    // A statement that was sent before the stop may be over its time instead of refused.
    private static readonly string[] losses =
        ["Another process leads now", "Sequencing or publishing failed"];

    [Fact]
    public async Task A_hung_leader_is_replaced_and_its_late_statement_is_refused()
    {
        await using var shop = await Shop.StartAsync(ShopServers.Shared);
        var (leader, standby) = (shop.Commands, await shop.AddCommandsAsync());
        var state = new ShopState(shop);
        await using var tap = await EventRecorder.BindAsync(shop, Resource.Categories.Name);
        await CreateAsync(leader, 20);

        for (var round = 0; round < FaultPlan.Rounds; round++)
        {
            var term = await state.LeaderTermAsync();
            var writing = CreateAsync(standby, 200);
            await leader.SignalAsync("STOP");
            await writing;
            await Eventually.Holds(async () => await IsPublishedAsync(state), "the standby publishes", limit);
            (await state.LeaderTermAsync()).ShouldBe(term + 1);

            await leader.SignalAsync("CONT");
            await Eventually.Holds(() => HasLostTheLead(leader), "its statement is refused", limit);
            await CreateAsync(leader, 20);
            (leader, standby) = (standby, leader);
        }

        await state.ProjectedAsync();
        await state.LogIsWholeAsync();
        await state.LogEqualsTablesAsync();
        await state.DocumentsEqualTablesAsync();
        var head = await state.Database.ScalarAsync<long>("SELECT max(position) FROM shop.events");
        await tap.ArrivesAsync(head);
        tap.WithoutRepeats().Select(one => one.Position)
            .ShouldBe(Enumerable.Range(1, (int)head).Select(position => (long)position));
    }

    private static Task CreateAsync(ShopProcess process, int count) =>
        process.CreateAsync(Resource.Categories.Name, count, Bodies.Category("Category"));

    // Only what it reported after it continued: it may have lost the lead in an earlier round, too.
    private static bool HasLostTheLead(ShopProcess process)
    {
        var reports = process.Tail(400).Split("gets SIGCONT")[^1];
        return losses.Any(loss => reports.Contains(loss, StringComparison.Ordinal));
    }

    private static async Task<bool> IsPublishedAsync(ShopState state) =>
        await state.Database.ScalarAsync<bool>("""
            SELECT NOT EXISTS (SELECT FROM shop.outbox) AND count(DISTINCT position) = 1
            FROM shop.log_positions WHERE name IN ('head', 'published')
            """);
}
