using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

public sealed class RebuildKillTests(SeededShop seeded, ITestOutputHelper output)
    : ShopTests(seeded.Shop, output), IClassFixture<SeededShop>
{
    [Fact]
    public async Task The_rebuild_of_a_Projector_that_was_killed_is_continued_by_the_next_one()
    {
        var epoch = await Shop.EpochAsync();
        await BeginAsync();
        await Shop.Projector.KillAsync();
        var products = await State.Database.ScalarAsync<uint>("SELECT 'read_next.products'::regclass::oid");

        await Shop.Projector.StartAsync();
        await Eventually.Holds(
            async () => (string)(await Shop.RebuiltAsync())["state"]! == "failed", "it is reported as failed");
        ((string)(await Shop.RebuiltAsync())["failure"]!).ShouldContain("ended");
        (await Shop.EpochAsync()).ShouldBe(epoch);
        await State.DocumentsEqualTablesAsync();

        (await Shop.RebuildAsync()).ShouldBeDone();
        (await Shop.EpochAsync()).ShouldBeGreaterThan(epoch);
        (await State.Database.ScalarAsync<uint>("SELECT 'read.products'::regclass::oid"))
            .ShouldBe(products, "the tables were not created again");
        await State.DocumentsEqualTablesAsync();
        (await State.Database.ScalarAsync<long>("SELECT count(*) FROM pg_tables WHERE schemaname = 'read_next'"))
            .ShouldBe(0, "nothing is left of the rebuild that was killed");
    }

    [Fact]
    public async Task A_Projector_that_hangs_during_a_rebuild_leaves_nothing_that_blocks_the_next_rebuild()
    {
        var other = await Shop.AddProjectorAsync();
        await BeginAsync();
        await Shop.Projector.SignalAsync("STOP");
        long epoch;
        try
        {
            await Eventually.Holds(
                async () =>
                {
                    using var begun = await other.Http.PostAsync("/admin/projections/rebuild", null);
                    return begun.StatusCode == HttpStatusCode.Accepted;
                },
                "the other Projector rebuilds",
                TimeSpan.FromSeconds(40));
            await Eventually.Holds(
                async () => (string)(await other.Http.GetFromJsonAsync<JsonNode>("/admin/projections/rebuild"))!
                    ["state"]! == "done",
                "it is done",
                TimeSpan.FromMinutes(3));
            epoch = await State.Database.ScalarAsync<long>("SELECT epoch FROM read.projection_state");
        }
        finally
        {
            await Shop.Projector.SignalAsync("CONT");
            await other.KillAsync();
        }

        await Eventually.Holds(
            async () => await State.Database.ScalarAsync<string>(
                "SELECT status ->> 'state' FROM read.rebuilds ORDER BY number DESC OFFSET 1 LIMIT 1") == "failed",
            "the rebuild that hung fails");
        (await Shop.EpochAsync()).ShouldBe(epoch, "it switched no tables");
        await State.DocumentsEqualTablesAsync();
    }

    /// <summary>Begins a rebuild in the first Projector; the task ends when it copies.</summary>
    private async Task BeginAsync()
    {
        using (var begun = await Shop.Projector.Http.PostAsync("/admin/projections/rebuild", null))
            begun.StatusCode.ShouldBe(HttpStatusCode.Accepted);
        using (var second = await Shop.Commands.Http.PostAsync("/admin/projections/rebuild", null))
            second.StatusCode.ShouldBe(HttpStatusCode.Conflict);
        await Eventually.Holds(
            async () =>
                await State.Database.ScalarAsync<long>(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'apexshop-projector-lock' "
                    + "AND query LIKE 'COPY read_next.%' AND query NOT LIKE '%staged_%' "
                    + "AND datname = current_database()") > 0,
            "it copies");
    }
}
