using System.Net;
using ApexShop.Consistency;
using ApexShop.Queries.Api.Tests.Caching;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class GetDocumentBySlugTests(CachedShop shop) : IClassFixture<CachedShop>
{
    [Theory]
    [InlineData("GET")]
    [InlineData("HEAD")]
    public async Task The_response_is_that_of_the_id_to_the_byte_with_all_its_headers(string method)
    {
        for (var i = 0; i < 2; i++)
        {
            using var byId = await SendAsync(method, "products/7");
            using var bySlug = await SendAsync(method, "products/by-slug/toepfe-7");

            bySlug.StatusCode.ShouldBe(HttpStatusCode.OK);
            // These two differ between any two responses.
            foreach (var response in (HttpResponseMessage[])[byId, bySlug])
                foreach (var name in (string[])["Date", "RateLimit"]) response.Headers.Remove(name).ShouldBeTrue();
            bySlug.ToString().ShouldBe(byId.ToString());
            (await bySlug.Content.ReadAsByteArrayAsync()).ShouldBe(await byId.Content.ReadAsByteArrayAsync());
        }
    }

    [Fact]
    public async Task A_client_that_has_the_document_by_its_id_gets_304()
    {
        using var byId = await shop.Http.GetAsync("products/8");
        using var known = await shop.Http.GetAsync(
            "products/by-slug/toepfe-8", "If-None-Match", byId.Headers.ETag!.ToString());

        known.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        known.Headers.ETag.ShouldBe(byId.Headers.ETag);
    }

    [Theory]
    [InlineData("unknown")]
    [InlineData("toepfe-5")]
    [InlineData("toepfe-6")]
    public async Task A_slug_that_no_living_product_has_is_404(string slug)
    {
        using var answer = await shop.Http.GetAsync($"products/by-slug/{slug}");
        await answer.ShouldBeProblemAsync(HttpStatusCode.NotFound, "document.not_found");
    }

    [Theory]
    [InlineData("Toepfe-7", "query.invalid")]
    [InlineData("toepfe--7", "query.invalid")]
    [InlineData("toepfe-7-", "query.invalid")]
    [InlineData("toepfe-7%0A", "query.invalid")]
    [InlineData("t%C3%B6pfe-7", "query.invalid")]
    [InlineData("toepfe-7?x=1", "query.invalid")]
    public async Task Another_text_is_400_and_so_is_a_parameter(string slug, string code)
    {
        using var answer = await shop.Http.GetAsync($"products/by-slug/{slug}");
        await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, code);
    }

    [Theory]
    [InlineData(120, HttpStatusCode.NotFound)]
    [InlineData(121, HttpStatusCode.BadRequest)]
    public async Task A_slug_has_a_longest_length(int length, HttpStatusCode status)
    {
        using var answer = await shop.Http.GetAsync($"products/by-slug/{new string('a', length)}");
        answer.StatusCode.ShouldBe(status);
    }

    [Fact]
    public async Task Selected_fields_are_those_of_the_document_by_its_id()
    {
        using var byId = await shop.Http.GetAsync("products/7?fields=slug,images");
        using var bySlug = await shop.Http.GetAsync("products/by-slug/toepfe-7?fields=slug,images");

        (await bySlug.Content.ReadAsStringAsync()).ShouldBe(await byId.Content.ReadAsStringAsync());
        bySlug.Headers.ETag.ShouldBe(byId.Headers.ETag);
    }

    [Fact]
    public async Task Only_resources_with_slugs_are_read_by_one()
    {
        using var answer = await shop.Http.GetAsync("categories/by-slug/books");
        await answer.ShouldBeProblemAsync(HttpStatusCode.NotFound, "path.unknown");
    }

    [Fact]
    public async Task A_document_is_cached_until_its_own_tag_is_raised()
    {
        var before = await TextAsync("toepfe-10");
        await shop.RenameAsync("products", 10, "changed");

        await shop.Tags.RaiseAsync(shop.App, "products:11", "products");
        (await TextAsync("toepfe-10")).ShouldBe(before);
        await shop.Tags.RaiseAsync(shop.App, "products:10");
        (await TextAsync("toepfe-10")).ShouldContain("changed");
    }

    [Fact]
    public async Task A_slug_that_moved_is_the_new_products()
    {
        (await TextAsync("toepfe-13")).ShouldContain("\"id\":13,");
        await MoveAsync("toepfe-13", from: 13, to: 14);
        await shop.Tags.RaiseAsync(shop.App, "products:13", "products:14");

        (await TextAsync("toepfe-13")).ShouldContain("\"id\":14,");
        using var earlier = await shop.Http.GetAsync("products/by-slug/toepfe-14");
        earlier.StatusCode.ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task A_reader_with_a_token_gets_the_new_product_before_any_tag_is_raised()
    {
        await TextAsync("toepfe-16");
        await MoveAsync("toepfe-16", from: 16, to: 17);

        using var answer = await shop.Http.GetAsync(
            "products/by-slug/toepfe-16", ConsistencyToken.Header,
            TestKeys.Tokens.Write(new ConsistencyToken([new("products", 17, 2)])));

        (await answer.Content.ReadAsStringAsync()).ShouldContain("\"id\":17,");
    }

    [Fact]
    public async Task While_two_products_show_a_slug_it_is_that_of_the_last_write()
    {
        await shop.ExecuteAsync("UPDATE read.products SET slug = 'toepfe-20', revision = 5000 WHERE id = 19");
        (await TextAsync("toepfe-20")).ShouldContain("\"id\":19,");
        await shop.ExecuteAsync("UPDATE read.products SET slug = 'toepfe-22', revision = 1 WHERE id = 23");
        (await TextAsync("toepfe-22")).ShouldContain("\"id\":22,");
    }

    [Fact]
    public async Task A_deleted_product_has_no_slug()
    {
        await TextAsync("toepfe-25");
        await shop.DeleteAsync("products", [25]);
        await shop.Tags.RaiseAsync(shop.App, "products:25");

        using var gone = await shop.Http.GetAsync("products/by-slug/toepfe-25");
        await gone.ShouldBeProblemAsync(HttpStatusCode.NotFound, "document.not_found");
    }

    private Task MoveAsync(string slug, int from, int to) => shop.ExecuteAsync(
        $"""
        UPDATE read.products SET slug = CASE id WHEN {to} THEN '{slug}' END, version = version + 1,
            revision = revision + 1000
        WHERE id IN ({from}, {to})
        """);

    private Task<string> TextAsync(string slug) => shop.Http.GetStringAsync($"products/by-slug/{slug}");

    private Task<HttpResponseMessage> SendAsync(string method, string path) =>
        shop.Http.SendAsync(new HttpRequestMessage(HttpMethod.Parse(method), path));
}
