using System.IO.Compression;
using System.Net;
using ApexShop.Queries.Api.Tests.Caching;

namespace ApexShop.Queries.Api.Tests.Storefront;

/// <summary>How GET /p/{slug} is cached.</summary>
public sealed class ProductPageTests(CachedShop shop) : IClassFixture<CachedShop>
{
    [Fact]
    public async Task A_cached_document_needs_no_query_and_a_raised_tag_makes_another_page()
    {
        using var document = await shop.Http.GetAsync("products/by-slug/toepfe-7");
        await using (await shop.LockAsync("read.products"))
        {
            using var page = await shop.Http.GetAsync("p/toepfe-7");
            (await page.Content.ReadAsStringAsync()).ShouldContain("&quot;7&quot;");
            page.Headers.CacheControl!.ToString().ShouldBe("no-cache");
        }

        using var before = await shop.Http.GetAsync("p/toepfe-7");
        await shop.ExecuteAsync("""
            UPDATE read.products SET version = version + 1, revision = revision + 1000,
                body = convert_to(replace(convert_from(body, 'UTF8'), '7.99', '8.01'), 'UTF8')
            WHERE id = 7
            """);
        await shop.Tags.RaiseAsync(shop.App, "products:7");
        using var after = await shop.Http.GetAsync("p/toepfe-7");
        (await after.Content.ReadAsStringAsync()).ShouldContain("$8.01</p>");
        after.Headers.ETag.ShouldNotBe(before.Headers.ETag);
    }

    [Fact]
    public async Task A_known_page_is_304_and_HEAD_has_the_headers_of_GET()
    {
        using var page = await shop.Http.GetAsync("p/toepfe-8");
        using var known = await shop.Http.GetAsync("p/toepfe-8", "If-None-Match", page.Headers.ETag!.ToString());
        known.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        using var head = await shop.Http.SendAsync(new HttpRequestMessage(HttpMethod.Head, "p/toepfe-8"));
        head.Headers.ETag.ShouldBe(page.Headers.ETag);
        head.Content.Headers.ContentLength.ShouldBe(page.Content.Headers.ContentLength);
    }

    [Fact]
    public async Task A_page_is_compressed_to_who_asks_for_it()
    {
        using var plain = await shop.Http.GetAsync("p/toepfe-10");
        using var coded = await shop.Http.GetAsync("p/toepfe-10", "Accept-Encoding", "br");
        coded.Content.Headers.ContentEncoding.ShouldBe(["br"]);
        coded.Headers.Vary.ShouldContain("Accept-Encoding");
        coded.Headers.ETag.ShouldNotBe(plain.Headers.ETag);
        await using var packed = new BrotliStream(await coded.Content.ReadAsStreamAsync(), CompressionMode.Decompress);
        using var reader = new StreamReader(packed);
        (await reader.ReadToEndAsync()).ShouldBe(await plain.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task Another_address_of_the_commands_is_another_page_and_another_policy()
    {
        await using var app = new QueriesApp(shop.Database.Queries)
            .With("Storefront:CommandsUrl", "https://commands.example");
        using var http = app.CreateClient();
        using var selling = await http.GetAsync("p/toepfe-11");
        using var plain = await shop.Http.GetAsync("p/toepfe-11");

        selling.Headers.GetValues("Content-Security-Policy").Single()
            .ShouldContain("connect-src 'self' https://commands.example;");
        (await selling.Content.ReadAsStringAsync()).ShouldContain("data-commands=\"https://commands.example\"");
        selling.Headers.ETag.ShouldNotBe(plain.Headers.ETag);
        foreach (var path in (string[])["cart", "sign-in", "my-orders"])
        {
            using var view = await http.GetAsync(path);
            view.Content.Headers.ContentType!.MediaType.ShouldBe("text/html");
        }
    }

    [Theory]
    [InlineData("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true)]
    [InlineData("text/html", true)]
    [InlineData("*/*", false)]
    [InlineData("application/json", false)]
    public async Task While_the_database_is_unavailable_a_browser_receives_the_page(string accept, bool isPage)
    {
        await using var app = new QueriesApp("Host=127.0.0.1;Port=1;Username=queries;Password=secret;Database=shop");
        using var http = app.CreateClient();
        using var refused = await http.GetAsync("p/toepfe-7", "Accept", accept);
        refused.Headers.RetryAfter.ShouldNotBeNull();
        if (!isPage)
        {
            await refused.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "database.unavailable");
            return;
        }

        refused.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        refused.Content.Headers.ContentType!.ToString().ShouldBe("text/html; charset=utf-8");
        refused.Headers.CacheControl!.ToString().ShouldBe("no-store");
        refused.Headers.ETag.ShouldBeNull();
        refused.Headers.Contains("Content-Security-Policy").ShouldBeTrue();
        (await refused.Content.ReadAsStringAsync()).ShouldBe(await http.GetStringAsync(""));

        // Other addresses have no page.
        using var other = await http.GetAsync("products/7", "Accept", accept);
        other.Content.Headers.ContentType!.MediaType.ShouldNotBe("text/html");
    }

    [Theory]
    [InlineData("https://commands.example/")]
    [InlineData("commands.example")]
    [InlineData("https://commands.example; script-src *")]
    public async Task An_address_that_is_no_origin_is_an_invalid_configuration(string address)
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Storefront:CommandsUrl", address);
        Should.Throw<Exception>(() => app.CreateClient()).ToString().ShouldContain("Storefront:CommandsUrl");
    }
}
