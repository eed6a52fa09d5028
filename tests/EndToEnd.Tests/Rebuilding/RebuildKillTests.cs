using System.Net;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

public sealed class RebuildKillTests(SeededShop seeded, ITestOutputHelper output)
    : ShopTests(seeded.Shop, output), IClassFixture<SeededShop>
{
    [Fact]
    public async Task A_Projector_that_is_killed_during_a_rebuild_leaves_nothing_that_blocks_the_next_rebuild()
    {
        var epoch = await Shop.EpochAsync();
        using (var begun = await Shop.Commands.Http.PostAsync("/admin/projections/rebuild", null))
            begun.StatusCode.ShouldBe(HttpStatusCode.Accepted);
        using (var second = await Shop.Commands.Http.PostAsync("/admin/projections/rebuild", null))
            second.StatusCode.ShouldBe(HttpStatusCode.Conflict);
        await Eventually.Holds(
            async () =>
                await State.Database.ScalarAsync<long>(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'apexshop-projector-session' "
                    + "AND query LIKE 'COPY%' AND datname = current_database()") > 0,
            "it copies");
        await Shop.Projector.KillAsync();

        await Shop.Projector.StartAsync();
        await Eventually.Holds(
            async () => (string)(await Shop.RebuiltAsync())["state"]! == "failed", "it is reported as failed");
        ((string)(await Shop.RebuiltAsync())["failure"]!).ShouldContain("ended");
        (await Shop.EpochAsync()).ShouldBe(epoch);
        await State.DocumentsEqualTablesAsync();

        (await Shop.RebuildAsync()).ShouldBeDone();
        (await Shop.EpochAsync()).ShouldBeGreaterThan(epoch);
        await State.DocumentsEqualTablesAsync();
    }
}
