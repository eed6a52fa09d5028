using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>A Redis of this test becomes a replica and a primary again, or loses its replicas.</summary>
public sealed class PromotedRedisTests(CachedShop shop) : IClassFixture<CachedShop>, IAsyncLifetime, IDisposable
{
    private const string Page = "products/v2?pageSize=7";

    private readonly PrivateRedis redis = new();
    private QueriesApp app = null!;
    private HttpClient http = null!;
    private TagFence fence = null!;

    public async Task InitializeAsync()
    {
        await redis.StartAsync();
        app = new QueriesApp(shop.Database.Queries).WithCache().With("ConnectionStrings:Redis", redis.Configuration);
        http = app.CreateClient();
        fence = app.Services.GetRequiredService<TagFence>();
        await LiveAsync();
    }

    public async Task DisposeAsync()
    {
        http.Dispose();
        await app.DisposeAsync();
    }

    public void Dispose() => redis.Dispose();

    [Fact]
    public async Task A_response_whose_tag_the_promoted_Redis_lacks_is_read_again()
    {
        await http.GetStringAsync(Page);
        (await redis.KeysAsync($"{app.CachePrefix}*")).ShouldContain(key => key.Contains("pageSize=7"));
        // Its tag was raised in the primary that was lost, and never arrived here.
        await shop.RenameAsync("products", 3, "changed before the promotion");
        await redis.ExecuteAsync("REPLICAOF 127.0.0.1 1");
        await Eventually.Holds(() => !fence.IsLive, "a replica proves nothing");
        await redis.ExecuteAsync("REPLICAOF NO ONE");

        await LiveAsync();
        (await http.GetStringAsync(Page)).ShouldContain("changed before the promotion");
    }

    [Fact]
    public async Task A_Redis_that_was_cut_off_from_its_replicas_proves_nothing()
    {
        await redis.ExecuteAsync("CONFIG SET min-replicas-to-write 1");
        await Eventually.Holds(() => !fence.IsLive, "it takes no raised tags");
        await redis.ExecuteAsync("CONFIG SET min-replicas-to-write 0");
        await LiveAsync();
    }

    [Fact]
    public async Task A_Redis_that_stays_the_same_invalidates_nothing()
    {
        var mark = fence.Mark();
        var probed = fence.Watermark.Time;
        await Eventually.Holds(() => fence.Watermark.Time > probed, "another probe is received");
        fence.IsCurrent(mark, []).ShouldBeTrue();
    }

    private Task LiveAsync() =>
        Eventually.Holds(() => fence.IsLive, "announcements are received", TimeSpan.FromSeconds(60));
}
