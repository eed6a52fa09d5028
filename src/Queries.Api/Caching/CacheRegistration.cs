using ApexShop.Caching;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>What the cache is made of.</summary>
internal static class CacheRegistration
{
    public static void AddCache(this IServiceCollection services)
    {
        services.AddSingleton(provider => new CacheNames(Options(provider).Prefix));
        services.AddSingleton<TagFence>();
        services.AddSingleton<CacheMetrics>();
        services.AddSingleton<RedisConnection>();
        services.AddSingleton<ISharedLevel, RedisLevel>();
        services.AddSingleton<Flights>();
        services.AddSingleton<ReadEpoch>();
        services.AddSingleton(provider => Memory<long>(provider, Options(provider).DocumentMegabytes));
        services.AddSingleton(provider => Memory<string>(provider, Options(provider).AnswerMegabytes));
        services.AddSingleton<AnswerCache>();
        services.AddHostedService<TagWatch>();
    }

    private static MemoryLevel<TKey> Memory<TKey>(IServiceProvider provider, int megabytes)
        where TKey : notnull =>
        ActivatorUtilities.CreateInstance<MemoryLevel<TKey>>(provider, megabytes);

    private static CachingOptions Options(IServiceProvider provider) =>
        provider.GetRequiredService<IOptions<CachingOptions>>().Value;
}
