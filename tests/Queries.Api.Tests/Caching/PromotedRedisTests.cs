using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>A Redis of this test becomes a replica and a primary again, or loses its replicas.</summary>
public sealed class PromotedRedisTests(CachedShop shop) : PrivateRedisTest(shop)
{
    private const string Page = "products/v2?pageSize=7";

    [Fact]
    public async Task A_response_whose_tag_the_promoted_Redis_lacks_is_read_again()
    {
        await Eventually.Holds(() => Fence.IsUpToDate, "responses are stored in Redis");
        await Http.GetStringAsync(Page);
        (await Redis.KeysAsync($"{App.CachePrefix}*")).ShouldContain(key => key.Contains("pageSize=7"));
        // Its tag was raised in the primary that was lost, and never arrived here.
        await Shop.RenameAsync("products", 3, "changed before the promotion");
        await Redis.ExecuteAsync("REPLICAOF 127.0.0.1 1");
        await Eventually.Holds(() => !Fence.IsLive, "a replica proves nothing");
        await Redis.ExecuteAsync("REPLICAOF NO ONE");

        await LiveAsync();
        (await Http.GetStringAsync(Page)).ShouldContain("changed before the promotion");
    }

    [Fact]
    public async Task A_Redis_that_was_cut_off_from_its_replicas_proves_nothing()
    {
        await Redis.ExecuteAsync("CONFIG SET min-replicas-to-write 1");
        await Eventually.Holds(() => !Fence.IsLive, "it takes no raised tags");
        await Redis.ExecuteAsync("CONFIG SET min-replicas-to-write 0");
        await LiveAsync();
    }

    [Fact]
    public async Task A_Redis_that_stays_the_same_invalidates_nothing()
    {
        var mark = Fence.Mark();
        var probed = Fence.Watermark.Time;
        await Eventually.Holds(() => Fence.Watermark.Time > probed, "another probe is received");
        Fence.IsCurrent(mark, []).ShouldBeTrue();
    }

    // No test of this class has a Redis that does not respond.
    private protected override QueriesApp Configure(QueriesApp queries) =>
        queries.With("Caching:RedisMilliseconds", 10_000);
}
