using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

public sealed class StandbyTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    private const int Writes = 120;

    [Fact]
    public async Task When_the_leader_and_the_active_projector_are_killed_the_others_go_on_and_nothing_is_lost()
    {
        // The first of each came first: it leads, and the second stands by.
        var leader = Shop.Commands;
        var commands = await Shop.AddCommandsAsync();
        await Shop.AddProjectorAsync();
        (await LeadersAsync()).ShouldBe(1);
        var traffic = await Traffic.PrepareAsync(Shop, products: 10, users: 3, stock: 1000);
        await State.ProjectedAsync();
        traffic.Through(commands);

        var pace = new Pace();
        var writers = traffic.WriteAsync(pace, Writes, writers: 4, static (client, random) => client.AnythingAsync(random));
        pace.AllowUpTo(Writes / 2);
        await pace.DoneAsync(Writes / 4);
        await Task.WhenAll(leader.KillAsync(), Shop.Projector.KillAsync());
        pace.AllowUpTo(Writes);
        await writers;

        await State.ProjectedAsync(TimeSpan.FromSeconds(60));
        (await LeadersAsync()).ShouldBe(1);
        await State.LogIsWholeAsync();
        await State.LogEqualsTablesAsync();
        await State.DocumentsEqualTablesAsync();
        (await State.Database.ScalarAsync<long>("SELECT count(*) FROM shop.events")).ShouldBeGreaterThan(Writes / 2);
    }

    private Task<long> LeadersAsync() => State.Database.ScalarAsync<long>("""
        SELECT count(DISTINCT l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE l.locktype = 'advisory' AND l.granted AND a.usename = 'commands' AND a.datname = current_database()
        """);
}
