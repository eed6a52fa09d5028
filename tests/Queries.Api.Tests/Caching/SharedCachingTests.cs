using ApexShop.Consistency;
using ApexShop.Queries.Api.Caching;
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

    [Theory]
    [InlineData("products/7", "products:7")]
    [InlineData("products/7?fields=id,name", "products:7")]
    [InlineData("products/by-slug/toepfe-7", "products:7")]
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
        using var follower = new PurgeFollower(shop.Http);
        (await follower.NextAsync()).ShouldBe("{\"all\":true}");
        await shop.Tags.RaiseAsync(shop.App, "products:7", "products", "orders:3", "users:4:orders", "products:7:reviews");

        string[] keys = ["products:7", "products", "products:7:reviews"];
        for (var turn = 0; turn < 2; turn++)
            (await follower.NextAsync("products:7")).Split('"').Intersect(keys).Count().ShouldBe(keys.Length);
        follower.All.ShouldNotContain("orders");
    }

    [Fact]
    public async Task Everything_is_purged_when_an_announcement_may_be_missing()
    {
        using var follower = new PurgeFollower(shop.Http);
        await follower.NextAsync();
        await follower.NextAsync("all");
        shop.App.Services.GetRequiredService<TagFence>().Empty();
        (await follower.NextAsync("all")).ShouldBe("{\"all\":true}");
    }

    private async Task BeUpToDateAsync()
    {
        var fence = shop.App.Services.GetRequiredService<TagFence>();
        await TestKit.Eventually.Holds(() => fence.IsUpToDate, "the fence is up to date");
    }

    private sealed class PurgeFollower : IDisposable
    {
        private readonly Task<StreamReader> lines;

        public PurgeFollower(HttpClient http) => lines = OpenAsync(http);

        public string All { get; private set; } = "";

        public async Task<string> NextAsync(string word = "")
        {
            using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(30));
            while (await (await lines).ReadLineAsync(limit.Token) is { } line)
            {
                All += line;
                if (line.StartsWith("data: ", StringComparison.Ordinal) && line.Contains(word, StringComparison.Ordinal))
                    return line["data: ".Length..];
            }

            throw new EndOfStreamException("The feed has ended.");
        }

        public void Dispose() => lines.Result.Dispose();

        private static async Task<StreamReader> OpenAsync(HttpClient http) =>
            new(await http.GetStreamAsync("cache/purges"));
    }
}
