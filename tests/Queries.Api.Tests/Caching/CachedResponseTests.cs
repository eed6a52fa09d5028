using System.Net;
using ApexShop.Caching;

namespace ApexShop.Queries.Api.Tests.Caching;

public sealed class CachedResponseTests(CachedShop shop) : IClassFixture<CachedShop>
{
    [Theory, ClassData(typeof(Endpoints.EveryResource))]
    public async Task A_document_is_cached_until_its_own_tag_is_raised(string resource)
    {
        var before = await TextAsync($"{resource}/3");
        await shop.RenameAsync(resource, 3, "changed");

        await shop.Tags.RaiseAsync(shop.App, CacheTags.Document(resource, 4), CacheTags.Collection(resource));
        (await TextAsync($"{resource}/3")).ShouldBe(before);
        await shop.Tags.RaiseAsync(shop.App, CacheTags.Document(resource, 3));
        (await TextAsync($"{resource}/3")).ShouldContain("changed");
    }

    [Theory]
    [InlineData("products", "", "products")]
    [InlineData("products", "/v2", "products")]
    [InlineData("products", "/cursor", "products")]
    [InlineData("products", "/cursor?categoryId=4", "categories:4:products")]
    [InlineData("products", "/v2?categoryId=4&sort=price", "categories:4:products")]
    [InlineData("products", "/cursor?categoryId=9,4", "categories:4:products")]
    [InlineData("products", "/v2?categoryId=4,9", "categories:9:products")]
    [InlineData("reviews", "/v2?productId=4", "products:4:reviews")]
    [InlineData("reviews", "/cursor?userId=4", "users:4:reviews")]
    [InlineData("orders", "/cursor?customerId=4", "users:4:orders")]
    [InlineData("orders", "/v2", "orders")]
    [InlineData("users", "/cursor", "users")]
    [InlineData("products", "/v2?inStock=true&minPrice=3", "products")]
    public async Task A_page_is_cached_until_its_tag_is_raised(string resource, string list, string tag)
    {
        var path = resource + list;
        // A page after a cursor goes to Redis from its second request: then it may be found there, too.
        await TextAsync(path);
        await shop.Tags.RaiseAsync(shop.App, tag);
        var before = await TextAsync(path);
        await shop.RenameAsync(resource, 4, $"changed {path.Length}");

        await shop.Tags.RaiseAsync(
            shop.App, CacheTags.Document(resource, 4), "categories:3:products", "products:5:reviews");
        (await TextAsync(path)).ShouldBe(before);
        await shop.Tags.RaiseAsync(shop.App, tag);
        (await TextAsync(path)).ShouldContain($"changed {path.Length}");
    }

    [Theory]
    [InlineData("products/8")]
    [InlineData("categories/v2?pageSize=5")]
    [InlineData("products/cursor?pageSize=6&after=")]
    [InlineData("users/v2?page=2&pageSize=3")]
    [InlineData("orders")]
    public async Task A_cached_response_is_the_read_one_to_the_byte_with_all_its_headers(string path)
    {
        if (path.EndsWith('='))
            path += (await shop.Http.JsonAsync("products/cursor?pageSize=3")).GetProperty("nextCursor").GetString();
        using var read = await shop.Http.GetAsync(path);
        using var kept = await shop.Http.GetAsync(path);

        read.StatusCode.ShouldBe(HttpStatusCode.OK);
        kept.ToString().ShouldBe(
            read.ToString().Replace(read.Headers.Date!.Value.ToString("R"), kept.Headers.Date!.Value.ToString("R")));
        (await kept.Content.ReadAsByteArrayAsync()).ShouldBe(await read.Content.ReadAsByteArrayAsync());
        using var head = await shop.Http.SendAsync(new(HttpMethod.Head, path));
        head.Headers.ETag.ShouldBe(read.Headers.ETag);
        head.Content.Headers.ContentLength.ShouldBe(read.Content.Headers.ContentLength);
        using var known = await shop.Http.GetAsync(path, "If-None-Match", read.Headers.ETag!.ToString());
        known.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        known.Headers.CacheControl.ShouldBe(read.Headers.CacheControl);
    }

    [Fact]
    public async Task A_page_has_a_strong_ETag_that_changes_with_its_bytes()
    {
        using var first = await shop.Http.GetAsync("categories/v2?page=1&pageSize=20");
        using var other = await shop.Http.GetAsync("categories/v2?page=1&pageSize=19");
        first.Headers.ETag!.IsWeak.ShouldBeFalse();
        other.Headers.ETag.ShouldNotBe(first.Headers.ETag);

        await shop.RenameAsync("categories", 9, "changed");
        await shop.Tags.RaiseAsync(shop.App, "categories");
        using var changed = await shop.Http.GetAsync(
            "categories/v2?page=1&pageSize=20", "If-None-Match", first.Headers.ETag.ToString());
        changed.StatusCode.ShouldBe(HttpStatusCode.OK);
        changed.Headers.ETag.ShouldNotBe(first.Headers.ETag);
    }

    [Fact]
    public async Task An_error_is_not_cached()
    {
        const string After = "products/cursor?inStock=true&sort=price&afterId=1000";
        for (var i = 0; i < 2; i++)
        {
            using var unknown = await shop.Http.GetAsync(After);
            await unknown.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
            using var missing = await shop.Http.GetAsync("products/1000");
            await missing.ShouldBeProblemAsync(HttpStatusCode.NotFound, "document.not_found");
        }

        await shop.PutAsync("products", [1000]);
        foreach (var path in (string[])["products/1000", After])
            (await shop.Http.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK, path);
    }

    [Fact]
    public async Task A_page_by_price_depends_on_the_document_after_which_it_begins()
    {
        const string Path = "products/cursor?inStock=true&sort=price&afterId=14";
        await TextAsync(Path);
        await shop.ExecuteAsync("UPDATE read.products SET price = 0.01 WHERE id = 14");
        await shop.Tags.RaiseAsync(shop.App, CacheTags.Document("products", 14));
        (await shop.Http.JsonAsync(Path)).GetProperty("data")[0].GetProperty("id").GetInt32().ShouldBe(1);
    }

    [Fact]
    public async Task A_new_epoch_empties_the_memory_of_a_process_that_reads_it()
    {
        var before = await TextAsync("reviews/v2");
        await shop.RenameAsync("reviews", 1, "changed");
        (await TextAsync("reviews/v2")).ShouldBe(before);

        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = epoch + 1");
        await TextAsync("categories/21");
        (await TextAsync("reviews/v2")).ShouldContain("changed");
    }

    private Task<string> TextAsync(string path) => shop.Http.GetStringAsync(path);
}
