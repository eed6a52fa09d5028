using System.Net;
using ApexShop.Caching;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>A cached response is sent before the query string is parsed, but only for exactly the same query.</summary>
public sealed class CachedBeforeParsingTests(CachedShop shop) : IClassFixture<CachedShop>
{
    [Theory]
    [InlineData("products/3", "?unknown=1")]
    [InlineData("products/v2?pageSize=7", "&unknown=1")]
    [InlineData("products/cursor?pageSize=7", "&unknown=1")]
    public async Task An_invalid_query_is_rejected_although_the_valid_one_is_cached(string path, string wrong)
    {
        (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK);
        (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK);
        (await shop.Http.GetAsync(path + wrong)).StatusCode.ShouldBe(HttpStatusCode.BadRequest);

        using var page = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { { "Accept", "text/html" } } };
        (await shop.Http.SendAsync(page)).StatusCode.ShouldBe(HttpStatusCode.NotAcceptable);
        using var anything =
            new HttpRequestMessage(HttpMethod.Get, path) { Headers = { { "Accept", "text/html, */*;q=0.1" } } };
        (await shop.Http.SendAsync(anything)).StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Theory]
    [InlineData("orders/3")]
    [InlineData("users/cursor")]
    public async Task A_cached_response_needs_the_same_scope(string path)
    {
        (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK);
        using var stranger = shop.App.CreateClient();
        (await stranger.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
    }

    [Fact]
    public async Task A_cached_response_of_the_deprecated_version_has_its_headers_too()
    {
        for (var turn = 0; turn < 2; turn++)
        {
            using var answer = await shop.Http.GetAsync("products?pageSize=9");
            answer.Headers.GetValues("Deprecation").ShouldHaveSingleItem();
            answer.Headers.GetValues("Sunset").ShouldHaveSingleItem();
            string.Join(", ", answer.Headers.GetValues("Link")).Split("successor-version").Length.ShouldBe(2);
        }
    }

    [Theory]
    [InlineData("/CATEGORIES/V2/", "/categories/v2", "?page=2&pageSize=3")]
    [InlineData("/Products/", "/products", "?page=2&pageSize=3")]
    [InlineData("/Products/Cursor", "/products/cursor", "?pageSize=3")]
    public async Task The_spelling_of_a_path_is_in_no_other_callers_links(string spelled, string path, string query)
    {
        foreach (var one in (string[])[spelled, path])
        {
            using var answer = await shop.Http.GetAsync(one + query);
            answer.StatusCode.ShouldBe(HttpStatusCode.OK);
            var links = string.Join(", ", answer.Headers.GetValues("Link")).Split(", ")
                .Where(link => !link.Contains("successor-version", StringComparison.Ordinal)).ToList();
            links.ShouldNotBeEmpty();
            links.ShouldAllBe(link => link.StartsWith($"<{path}?", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task A_lease_is_released_when_its_read_finds_nothing()
    {
        const int Unknown = 999_999_999;
        // A walk: a cheaper page is looked up in Redis from its second request only.
        using var unknown = await shop.Http.GetAsync($"products/cursor?inStock=true&sort=price&afterId={Unknown}");
        unknown.StatusCode.ShouldBe(HttpStatusCode.BadRequest);
        var keys = (await shop.Tags.AllAsync()).Keys;
        keys.ShouldContain(
            shop.Tags.Names.Generation(CacheTags.Document("products", Unknown)), "the page was looked up in Redis");
        keys.ShouldNotContain(
            key => key.EndsWith($"{Unknown} lease", StringComparison.Ordinal),
            "the next caller would wait for the lease");
    }
}
