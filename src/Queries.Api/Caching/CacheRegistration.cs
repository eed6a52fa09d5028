using ApexShop.Caching;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>The services of the cache.</summary>
internal static class CacheRegistration
{
    public static void AddCache(this IServiceCollection services)
    {
        services.AddSingleton(provider => new CacheNames(Options(provider).Prefix));
        services.AddSingleton(provider => new TagFence(
            provider.GetRequiredService<TimeProvider>(), boundSeconds: Options(provider).UnavailableSeconds));
        services.AddSingleton<CacheMetrics>();
        services.AddSingleton<RedisConnection>();
        services.AddSingleton<ISharedCache, RedisCache>();
        services.AddSingleton<ReadEpoch>();
        services.AddSingleton<IPendingState, PendingState>();
        services.AddSingleton<UnraisedChanges>();
        services.AddSingleton(provider => Memory<long>(provider, Options(provider).DocumentMegabytes));
        services.AddSingleton(provider => Memory<string>(provider, Options(provider).ResponseMegabytes));
        services.AddSingleton<CountCache>();
        services.AddSingleton<RecentKeys>();
        services.AddSingleton<SharedCachingRules>();
        services.AddSingleton<PurgeFeed>();
        services.AddSingleton<ResponseCache>();
        services.AddHostedService<TagSubscriber>();
    }

    private static MemoryCache<TKey> Memory<TKey>(IServiceProvider provider, int megabytes)
        where TKey : notnull =>
        ActivatorUtilities.CreateInstance<MemoryCache<TKey>>(provider, megabytes);

    private static CachingOptions Options(IServiceProvider provider) =>
        provider.GetRequiredService<IOptions<CachingOptions>>().Value;
}
