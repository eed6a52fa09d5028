using System.Net;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>The purges for a CDN from a process that loses its Redis; another process may still have it.</summary>
public sealed class UnavailablePurgesTests(CachedShop shop) : PrivateRedisTest(shop)
{
    [Fact]
    public async Task They_end_and_new_ones_are_refused_so_that_the_client_reaches_another_process()
    {
        Http.DefaultRequestHeaders.Authorization = Shop.Http.DefaultRequestHeaders.Authorization;
        using var feed = await SseClient.OpenAsync(Http, "cache/purges");
        (await feed.NextEventAsync()).ShouldNotBeNull();

        await Redis.StopAsync();

        while (await feed.NextEventAsync() is { } purge) purge.Data.ShouldBe("{\"all\":true}");
        Fence.IsLive.ShouldBeFalse();
        using var refused = await Http.GetAsync("cache/purges");
        await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "purges.unavailable");
        refused.Headers.RetryAfter.ShouldNotBeNull();
        await Redis.StartAsync();
        await LiveAsync();
        using var again = await SseClient.OpenAsync(Http, "cache/purges");
    }
}
