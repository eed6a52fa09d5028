using ApexShop.Caching;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>The services that raise cache tags.</summary>
internal static class TagRegistration
{
    public static void AddCacheTags(this IServiceCollection services, string redis, string prefix)
    {
        services.AddSingleton(_ => new RedisConnection(redis));
        services.AddSingleton(new CacheNames(prefix));
        services.AddSingleton<TagGenerations>();
        services.AddSingleton<IRaisedTags, RaisedTags>();
        services.AddSingleton<TagRaiser>();
        services.AddHostedService(provider => provider.GetRequiredService<TagRaiser>());
    }
}
