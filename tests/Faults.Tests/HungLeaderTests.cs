using ApexShop.Resources;

namespace ApexShop.Faults.Tests;

/// <summary>A leader is stopped by SIGSTOP, while the kernel keeps its sessions open, and continues later.</summary>
public sealed class HungLeaderTests
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(15);

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
            await Eventually.Holds(
                () => leader.Tail(400).Contains("Another process leads now", StringComparison.Ordinal),
                "its statement is refused", limit);
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

    private static async Task<bool> IsPublishedAsync(ShopState state) =>
        await state.Database.ScalarAsync<bool>("""
            SELECT NOT EXISTS (SELECT FROM shop.outbox) AND count(DISTINCT position) = 1
            FROM shop.log_positions WHERE name IN ('head', 'published')
            """);
}
