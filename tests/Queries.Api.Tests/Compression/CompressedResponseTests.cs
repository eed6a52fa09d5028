using System.Net;

namespace ApexShop.Queries.Api.Tests.Compression;

public sealed class CompressedResponseTests(
    CompressedResponseTests.Shop shop) : IClassFixture<CompressedResponseTests.Shop>
{
    private const string Page = "products/v2?pageSize=20";

    /// <summary>A shop with a cache, so that compressed forms of cached responses are tested too.</summary>
    public sealed class Shop : FewOfEach
    {
        private protected override QueriesApp Configure(QueriesApp queries) => queries.WithCache();
    }

    [Theory]
    [InlineData("br")]
    [InlineData("gzip")]
    public async Task A_compressed_page_has_fewer_bytes_and_the_same_content(string coding)
    {
        var plain = await shop.Http.GetByteArrayAsync(Page);
        for (var i = 0; i < 3; i++)
        {
            using var answer = await shop.Http.GetCodedAsync(Page, coding);
            answer.Content.Headers.ContentEncoding.ShouldBe([coding]);
            answer.Headers.Vary.ShouldBe(["Accept-Encoding"]);
            answer.Content.Headers.ContentLength!.Value.ShouldBeLessThan(plain.Length / 2);
            (await answer.DecodedAsync()).ShouldBe(plain);
        }
    }

    [Theory]
    [InlineData("identity")]
    [InlineData("br")]
    [InlineData("gzip")]
    public async Task An_ETag_leads_to_304_in_its_own_coding_only(string coding)
    {
        using var first = await shop.Http.GetCodedAsync(Page, coding);
        var tag = first.Headers.ETag!.ToString();

        using var again = await shop.Http.GetCodedAsync(Page, coding, known: tag);
        again.StatusCode.ShouldBe(HttpStatusCode.NotModified);
        again.Headers.ETag!.ToString().ShouldBe(tag);
        again.Headers.Vary.ShouldBe(["Accept-Encoding"]);
        (await again.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
        foreach (var other in ((string[])["identity", "br", "gzip"]).Where(name => name != coding))
        {
            using var elsewhere = await shop.Http.GetCodedAsync(Page, other, known: tag);
            elsewhere.StatusCode.ShouldBe(HttpStatusCode.OK);
            elsewhere.Headers.ETag!.ToString().ShouldNotBe(tag);
            elsewhere.Headers.ETag.IsWeak.ShouldBeFalse();
        }
    }

    [Theory]
    [InlineData("identity")]
    [InlineData("br")]
    [InlineData("gzip")]
    public async Task HEAD_has_the_headers_of_GET(string coding)
    {
        using var get = await shop.Http.GetCodedAsync(Page, coding);
        using var head = await shop.Http.SendCodedAsync(HttpMethod.Head, Page, coding);

        head.Headers.ETag.ShouldBe(get.Headers.ETag);
        head.Headers.Vary.ShouldBe(get.Headers.Vary);
        head.Content.Headers.ContentEncoding.ShouldBe(get.Content.Headers.ContentEncoding);
        head.Content.Headers.ContentLength.ShouldBe(get.Content.Headers.ContentLength);
        (await head.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
    }

    [Fact]
    public async Task A_document_that_fits_into_a_packet_is_not_compressed()
    {
        using var answer = await shop.Http.GetCodedAsync("products/1", "br");
        answer.Content.Headers.ContentEncoding.ShouldBeEmpty();
        answer.Headers.Vary.ShouldBeEmpty();
        answer.Content.Headers.ContentLength!.Value.ShouldBeLessThan(1400);
    }

    [Theory]
    [InlineData("orders/v2")]
    [InlineData("orders/cursor?customerId=7&pageSize=100")]
    [InlineData("orders/stream")]
    [InlineData("users/v2")]
    [InlineData("users/cursor?pageSize=100")]
    [InlineData("users/stream")]
    public async Task Documents_that_need_a_scope_are_never_compressed(string path)
    {
        using var plain = await shop.Http.GetAsync(path);
        using var answer = await shop.Http.GetCodedAsync(path, "br, gzip");
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Content.Headers.ContentEncoding.ShouldBeEmpty();
        answer.Headers.Vary.ShouldNotContain("Accept-Encoding");
        (await answer.Content.ReadAsByteArrayAsync()).ShouldBe(await plain.Content.ReadAsByteArrayAsync());
    }

    [Fact]
    public async Task An_error_is_not_compressed()
    {
        string[] paths = ["products/2147483647", "products/v2?page=0", "products/stream?limit=0", "nowhere"];
        foreach (var path in paths)
        {
            using var answer = await shop.Http.GetCodedAsync(path, "br");
            ((int)answer.StatusCode).ShouldBeInRange(400, 404);
            answer.Content.Headers.ContentEncoding.ShouldBeEmpty();
            (await answer.Content.ReadAsStringAsync()).ShouldStartWith("{");
        }
    }
}
