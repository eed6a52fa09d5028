using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>A cache that receives nothing of Redis: only its own reads show it the epoch.</summary>
public sealed class DocumentCacheTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Fact]
    public async Task A_process_that_has_read_a_document_of_new_tables_serves_none_of_the_tables_before()
    {
        var services = shop.App.Services;
        var (clock, products) = (new ManualClock(), ReadModel.All[0]);
        var (database, fence) = (services.GetRequiredService<ReadDatabase>(), new TagFence(clock, slots: 64));
        var metrics = new CacheMetrics(services.GetRequiredService<IMeterFactory>(), fence);
        var memory = new MemoryCache<long>(
            1, fence, services.GetRequiredService<IOptions<CachingOptions>>(), metrics, clock);
        var cache = new DocumentCache(
            products,
            0,
            new DocumentReader(products, database.Pages),
            memory,
            fence,
            new ReadEpoch(database, fence),
            metrics,
            services.GetRequiredService<SharedCachingRules>(),
            services.GetRequiredService<IOptions<ReadingOptions>>());
        await cache.ReadAsync(1, CancellationToken.None);
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = epoch + 1");
        cache.Find(1).ShouldNotBeNull();

        await cache.ReadAsync(2, CancellationToken.None);

        cache.Find(1).ShouldBeNull();
    }
}
