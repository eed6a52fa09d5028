using ApexShop.Consistency;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>The headers for a CDN.</summary>
public sealed class SharedCachingTests(SharedCachingTests.Shop shop) : IClassFixture<SharedCachingTests.Shop>
{
    public sealed class Shop : CachedShop
    {
        private protected override QueriesApp Configure(QueriesApp queries) =>
            base.Configure(queries).With("Caching:SharedSeconds", 60);
    }

    [Theory]
    [InlineData("products/7", "products:7")]
    [InlineData("products/7?fields=id,name", "products:7")]
    [InlineData("products/by-slug/toepfe-7", "products:7")]
    [InlineData("p/toepfe-7", "products:7")]
    [InlineData("products/v2?pageSize=9", "products")]
    [InlineData("products/cursor?categoryId=4,3", "categories:3:products categories:4:products")]
    [InlineData("products/4/reviews", "products:4:reviews products:4")]
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
            response.Headers.Vary.ShouldContain("Origin");
            using var known = await shop.Http.GetAsync(path, "If-None-Match", response.Headers.ETag!.ToString());
            known.Headers.GetValues("Surrogate-Key").ShouldBe([keys]);
        }
    }

    /// <summary>For a page of another origin, which the CORS policy does not name in Vary.</summary>
    [Fact]
    public async Task A_response_to_an_origin_that_is_not_allowed_is_not_kept_for_others()
    {
        await BeUpToDateAsync();
        using var response = await shop.Http.GetAsync("products/7", "Origin", "https://other.example");
        response.Headers.Vary.ShouldContain("Origin");
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

    /// <summary>Its purge was sent while it was read: no other one would follow.</summary>
    [Fact]
    public async Task A_response_that_changed_during_its_read_may_not_be_kept_either()
    {
        await BeUpToDateAsync();
        var fence = shop.App.Services.GetRequiredService<TagFence>();
        var rules = shop.App.Services.GetRequiredService<SharedCachingRules>();
        string[] tags = ["products:7"];
        var (mark, slots) = (fence.Mark(), fence.SlotsOf(tags));
        rules.Of(isPublic: true, tags, mark, slots).ShouldNotBeNull();

        await shop.Tags.RaiseAsync(shop.App, tags);

        rules.Of(isPublic: true, tags, mark, slots).ShouldBeNull();
        rules.Of(isPublic: true, tags, fence.Mark(), slots).ShouldNotBeNull();
    }

    [Fact]
    public async Task The_reviews_of_a_product_that_does_not_exist_have_no_key()
    {
        await BeUpToDateAsync();
        using var response = await shop.Http.GetAsync("products/999/reviews");
        response.Headers.Contains("Surrogate-Key").ShouldBeFalse();
    }

    private async Task BeUpToDateAsync()
    {
        var fence = shop.App.Services.GetRequiredService<TagFence>();
        await Eventually.Holds(() => fence.IsUpToDate, "the fence is up to date");
    }
}
