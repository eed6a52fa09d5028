using System.Text;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Tests.Caching;
using ApexShop.Queries.Api.Tests.Compression;
using ApexShop.TestKit;
using ApexShop.TestKit.HttpFiles;
using ApexShop.TestKit.OpenApi;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.OpenApi;

/// <summary>What the document says of responses that a shared cache may keep, and of the stream of purges.</summary>
public sealed class SharedCachingDescriptionTests(SharedCachingTests.Shop shop)
    : IClassFixture<SharedCachingTests.Shop>
{
    [Fact]
    public async Task Responses_that_a_shared_cache_may_keep_are_described()
    {
        var fence = shop.App.Services.GetRequiredService<TagFence>();
        await Eventually.Holds(() => fence.IsUpToDate, "the fence is up to date");
        var check = new ResponseCheck(await ApiDescription.ReadAsync(shop.Http));
        string[] paths =
        [
            "/products", "/products/v2", "/products/cursor", "/products/7", "/products/by-slug/toepfe-7",
            "/products/4/reviews", "/products/facets", "/categories/3", "/reviews/cursor",
        ];
        foreach (var path in paths)
        {
            using var response = await shop.Http.GetAsync(path);
            response.Headers.Contains("Surrogate-Key").ShouldBeTrue(path);
            await check.CheckAsync(
                new FilledRequest("GET", path, [], null), response,
                Encoding.UTF8.GetString(await response.DecodedAsync()));
            using var known = await shop.Http.GetAsync(path, "If-None-Match", response.Headers.ETag!.ToString());
            await check.CheckAsync(new FilledRequest("GET", path, [], null), known, "");
        }

        check.Wrong.Where(error => error.Contains("header", StringComparison.Ordinal)).ShouldBeEmpty();
        var withKeys = check.Description.Operations.Where(
            one => one.Method == "GET" && one.Response(200)?["headers"]?["Surrogate-Key"] is not null).ToList();
        withKeys.ShouldNotContain(one => one.NeedsKey);
        ((string)check.Description.Json["components"]!["headers"]!["Cache-Control"]!["description"]!)
            .ShouldContain("max-age=0, must-revalidate, s-maxage=60");
    }

    [Fact]
    public async Task The_stream_of_purges_is_described()
    {
        var description = await ApiDescription.ReadAsync(shop.Http);
        var described = description.Operations.Single(one => one.Path == "/cache/purges" && one.Method == "GET")
            .Response(200)!;
        using var request = new HttpRequestMessage(HttpMethod.Head, "/cache/purges");
        using var response = await shop.Http.SendAsync(request);
        response.IsSuccessStatusCode.ShouldBeTrue();

        var coding = description.Resolve(described["headers"]!["Content-Encoding"]!);
        response.Content.Headers.ContentEncoding.ShouldBe([(string)coding["example"]!]);
        var text = (string)described["content"]!["text/event-stream"]!["schema"]!["description"]!;
        text.ShouldContain("""{"keys":["products:17","products"]}""");
        text.ShouldContain("""{"all":true}""");
    }
}
