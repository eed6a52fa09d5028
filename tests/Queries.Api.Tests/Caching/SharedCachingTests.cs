using System.Text.Json;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>The headers and the purges for a CDN.</summary>
public sealed class SharedCachingTests(SharedCachingTests.Shop shop) : IClassFixture<SharedCachingTests.Shop>
{
    public sealed class Shop : CachedShop
    {
        private protected override QueriesApp Configure(QueriesApp queries) =>
            base.Configure(queries).With("Caching:SharedSeconds", 60);
    }

    private const string Everything = "{\"all\":true}";

    [Theory]
    [InlineData("products/7", "products:7")]
    [InlineData("products/7?fields=id,name", "products:7")]
    [InlineData("products/by-slug/toepfe-7", "products:7")]
    [InlineData("p/toepfe-7", "products:7")]
    [InlineData("products/v2?pageSize=9", "products")]
    [InlineData("products/cursor?categoryId=4,3", "categories:3:products categories:4:products")]
    [InlineData("products/4/reviews", "products:4:reviews")]
    [InlineData("products/facets", "products")]
    public async Task A_public_response_may_be_kept_by_a_shared_cache_under_its_tags(string path, string keys)
    {
        await BeUpToDateAsync();
        for (var turn = 0; turn < 3; turn++)
        {
            using var response = await shop.Http.GetAsync(path);
            response.Headers.CacheControl!.SharedMaxAge.ShouldBe(TimeSpan.FromSeconds(60));
            response.Headers.CacheControl.MaxAge.ShouldBe(TimeSpan.Zero);
            response.Headers.GetValues("Surrogate-Key").ShouldBe([keys]);
            response.Headers.Vary.ShouldContain(ConsistencyToken.Header);
            using var known = await shop.Http.GetAsync(path, "If-None-Match", response.Headers.ETag!.ToString());
            known.Headers.GetValues("Surrogate-Key").ShouldBe([keys]);
        }
    }

    [Theory]
    [InlineData("orders/7")]
    [InlineData("users/v2")]
    [InlineData("limits")]
    [InlineData("products/stream")]
    [InlineData("products/batch?ids=1,2")]
    public async Task All_other_responses_may_not(string path)
    {
        await BeUpToDateAsync();
        using var response = await shop.Http.GetAsync(path);
        response.Headers.CacheControl!.SharedMaxAge.ShouldBeNull();
        response.Headers.Contains("Surrogate-Key").ShouldBeFalse();
    }

    [Fact]
    public async Task The_keys_of_a_change_are_sent_at_once_and_again_after_the_bound_of_staleness()
    {
        using var feed = await SseClient.OpenAsync(shop.Http, "cache/purges");
        (await feed.NextEventAsync())!.Data.ShouldBe(Everything);
        (await feed.NextEventAsync())!.Data.ShouldBe(Everything);
        await shop.Tags.RaiseAsync(shop.App, "products:7", "orders:3", "users:4:orders", "products:7:reviews");

        for (var turn = 0; turn < 2; turn++)
        {
            var keys = JsonElement.Parse((await feed.NextEventAsync())!.Data!).GetProperty("keys").EnumerateArray();
            keys.Select(key => key.GetString()).ShouldBe(["products:7", "products:7:reviews"], ignoreOrder: true);
        }
    }

    [Fact]
    public async Task Everything_is_purged_when_an_announcement_may_be_missing()
    {
        using var feed = await SseClient.OpenAsync(shop.Http, "cache/purges");
        await feed.NextEventAsync();
        await feed.NextEventAsync();
        shop.App.Services.GetRequiredService<TagFence>().Empty();
        (await feed.NextEventAsync())!.Data.ShouldBe(Everything);
    }

    private async Task BeUpToDateAsync()
    {
        var fence = shop.App.Services.GetRequiredService<TagFence>();
        await Eventually.Holds(() => fence.IsUpToDate, "the fence is up to date");
    }
}
