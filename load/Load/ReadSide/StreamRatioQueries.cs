using ApexShop.Caching;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>Queries.Api as in production.</summary>
internal static class StreamRatioQueries
{
    public static ShopProcess Over(TestDatabase database)
    {
        var settings = new Dictionary<string, string>
        {
            ["ConnectionStrings__Read"] = database.Queries,
            ["ConnectionStrings__Redis"] = Servers.Redis,
            ["Caching__Prefix"] = $"{CacheNames.DefaultPrefix}{Guid.NewGuid():N}:",
            ["Reading__CursorKey"] = TestKeys.Cursors,
            ["Logging__LogLevel__Default"] = "Warning",
        };
        TestKeys.AddTo(settings);
        return new ShopProcess(ShopPrograms.Queries, "queries", settings);
    }
}
