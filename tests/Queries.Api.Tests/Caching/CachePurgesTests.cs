using System.Net;
using System.Security.Claims;
using System.Security.Principal;
using System.Text.Json;
using System.Threading.RateLimiting;
using ApexShop.Queries.Api.Caching;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>The purges for a CDN.</summary>
public sealed class CachePurgesTests(CachePurgesTests.Shop shop) : IClassFixture<CachePurgesTests.Shop>
{
    private const string Everything = "{\"all\":true}";
    private const string Key = "a key of a CDN";

    public sealed class Shop : CachedShop
    {
        // The bound after which keys are sent again.
        private protected override QueriesApp Configure(QueriesApp queries) =>
            base.Configure(queries).With("Caching:UnavailableSeconds", 2);
    }

    [Fact]
    public async Task The_keys_of_a_change_are_sent_at_once_and_again_after_the_bound_of_staleness()
    {
        using var feed = await SseClient.OpenAsync(shop.Http, "cache/purges");
        (await feed.NextEventAsync())!.Data.ShouldBe(Everything);
        (await feed.NextEventAsync())!.Data.ShouldBe(Everything);
        await RaiseAsync();

        var repeats = 0;
        for (var sent = 0; sent < 2;)
        {
            var purge = await feed.NextEventAsync();
            if (purge!.Data == Everything)
            {
                // A pause of this machine purges everything, these keys too.
                (++repeats).ShouldBeLessThan(5, "the keys of a change are sent");
                await RaiseAsync();
                sent = 0;
                continue;
            }

            var keys = JsonElement.Parse(purge.Data!).GetProperty("keys").EnumerateArray();
            keys.Select(key => key.GetString()).ShouldBe(["products:7", "products:7:reviews"], ignoreOrder: true);
            sent++;
        }

        Task RaiseAsync() => shop.Tags.RaiseAsync(
            shop.App, "products:7", "orders:3", "users:4:orders", "products:7:reviews");
    }

    [Fact]
    public async Task A_follower_without_a_place_is_refused_until_another_one_ends()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .WithCache().WithKey(0, Key, Access.Scopes.EventsRead);
        using var http = await CdnAsync(app);
        var feed = app.Services.GetRequiredService<PurgeFeed>();
        var places = Enumerable.Range(0, PurgeFeed.MostFollowers).Select(Take).ToList();

        using (var refused = await http.GetAsync("cache/purges"))
            await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "streams.busy");
        places[0].Dispose();
        using (await SseClient.OpenAsync(http, "cache/purges")) Take(0).IsAcquired.ShouldBeFalse();
        await Eventually.Holds(
            () =>
            {
                using var place = Take(0);
                return place.IsAcquired;
            },
            "its place is free");

        // Each with a key of its own.
        RateLimitLease Take(int key) => feed.TakePlace(new ClaimsPrincipal(new GenericIdentity($"{key}")));
    }

    [Fact]
    public async Task Everything_is_purged_when_an_announcement_may_be_missing()
    {
        using var feed = await SseClient.OpenAsync(shop.Http, "cache/purges");
        await feed.NextEventAsync();
        await feed.NextEventAsync();
        shop.App.Services.GetRequiredService<TagFence>().InvalidateAll();
        (await feed.NextEventAsync())!.Data.ShouldBe(Everything);
    }

    /// <summary>No process sends a response to keep until changes are announced again.</summary>
    [Fact]
    public async Task Everything_is_purged_when_changes_are_not_announced_in_time()
    {
        using var feed = await SseClient.OpenAsync(shop.Http, "cache/purges");
        await feed.NextEventAsync();
        await feed.NextEventAsync();
        await shop.ExecuteAsync(
            "UPDATE read.projection_state "
            + "SET pending_tags = ARRAY['products:7'], pending_since = now() - interval '1 minute'");
        try
        {
            (await feed.NextEventAsync())!.Data.ShouldBe(Everything);
        }
        finally
        {
            await shop.ExecuteAsync("UPDATE read.projection_state SET pending_tags = '{}', pending_since = NULL");
        }
    }

    [Fact]
    public async Task The_purges_end_when_their_key_is_removed()
    {
        using var keys = new KeyFile();
        keys.Write(Key, Access.Scopes.EventsRead);
        // Keys are sent again after the bound of staleness, which is longer than this test.
        await using var app = new QueriesApp(shop.Database.Queries) { File = keys.Path }.WithCache()
            .With("Caching:UnavailableSeconds", 60);
        using var http = await CdnAsync(app);
        using var feed = await SseClient.OpenAsync(http, "cache/purges");
        await feed.NextEventAsync();

        keys.Write("another key", Access.Scopes.EventsRead);
        await Eventually.Holds(
            async () => (await http.GetAsync("orders/1")).StatusCode == HttpStatusCode.Unauthorized, "it is removed");
        app.Services.GetRequiredService<TagFence>().InvalidateAll();

        (await feed.NextEventAsync()).ShouldBeNull();
    }

    // With its key, once the process receives announcements.
    private static async Task<HttpClient> CdnAsync(QueriesApp app)
    {
        var http = app.CreateClient();
        http.DefaultRequestHeaders.Authorization = new("Bearer", Key);
        var fence = app.Services.GetRequiredService<TagFence>();
        await Eventually.Holds(() => fence.IsUpToDate, "announcements are received");
        return http;
    }
}
