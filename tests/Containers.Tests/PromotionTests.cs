using ApexShop.Client;
using ApexShop.TestKit;

namespace ApexShop.Containers.Tests;

/// <summary>
/// The primary of compose.cluster.yaml is lost, and its replica is promoted as docs/operations.md says.
/// </summary>
[Collection(nameof(ContainerTests))]
public sealed class PromotionTests(ClusteredShop shop) : IClassFixture<ClusteredShop>
{
    [Fact]
    public async Task A_promoted_replica_continues_the_shop()
    {
        using var client = await shop.ClientAsync();
        var before = await client.Categories.CreateAsync(new("Before the promotion"));
        await Eventually.Holds(
            async () => await shop.SqlAsync(
                "postgres", "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()") == "1",
            "the replica has everything");

        await shop.ComposeAsync("rm", "-sf", "postgres");
        await shop.ComposeAsync(
            "exec", "-T", "postgres-replica", "gosu", "postgres", "pg_ctl", "promote", "-D",
            "/var/lib/postgresql/data");
        Saved? after = null;
        await Eventually.Holds(
            async () => (after = await TryCreateAsync(client, "After the promotion")) is not null,
            "commands are accepted again");

        (await client.Categories.GetAsync(before.Id)).Name.ShouldBe("Before the promotion");
        (await client.Categories.GetAsync(after!.Id)).Name.ShouldBe("After the promotion");
        (await shop.SqlAsync("postgres-replica", "SELECT count(*) FROM shop.log_identities")).ShouldBe("2");
    }

    // The connections to the lost primary end one after the other, and a client repeats a request a few times only.
    private static async Task<Saved?> TryCreateAsync(ShopClient client, string name)
    {
        try
        {
            return await client.Categories.CreateAsync(new(name));
        }
        catch (ShopProblemException refused) when (refused.Code == "database.unavailable")
        {
            return null;
        }
    }
}
