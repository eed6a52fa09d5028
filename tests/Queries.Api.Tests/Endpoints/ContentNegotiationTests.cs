using System.Net;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class ContentNegotiationTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory]
    [InlineData("application/json", "application/json")]
    [InlineData("*/*", "application/json")]
    [InlineData("application/*", "application/json")]
    [InlineData("application/x-ndjson", "application/x-ndjson")]
    [InlineData("application/X-MsgPack", "application/x-msgpack")]
    [InlineData("text/html, application/x-msgpack;q=0.4, application/x-ndjson;q=0.5", "application/x-ndjson")]
    [InlineData("application/json;q=0, */*", "application/x-ndjson")]
    // The usual header of java.net, with a range that is not valid.
    [InlineData("text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "application/json")]
    public async Task A_stream_has_the_format_with_the_highest_quality(string accept, string expected)
    {
        using var answer = await shop.Http.GetAsync("products/stream?limit=1", "Accept", accept);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Content.Headers.ContentType!.ToString().ShouldBe(expected);
        answer.Headers.Vary.ShouldBe(["Accept", "Accept-Encoding"]);
    }

    [Theory]
    [InlineData("products/stream", "text/csv")]
    [InlineData("products/stream", "application/json;q=0")]
    [InlineData("products/stream", "nonsense")]
    [InlineData("products/export/ndjson", "application/json")]
    [InlineData("products/7", "application/x-msgpack")]
    [InlineData("products/v2", "application/x-ndjson")]
    [InlineData("products/cursor", "text/*")]
    [InlineData("limits", "text/csv")]
    [InlineData("cache/purges", "application/json")]
    public async Task An_unacceptable_format_is_rejected(string path, string accept)
    {
        using var answer = await shop.Http.GetAsync(path, "Accept", accept);
        await answer.ShouldBeProblemAsync(HttpStatusCode.NotAcceptable, "accept.unmet");
    }

    /// <summary>To find the valid range in it, the framework would need the square of its length.</summary>
    [Fact]
    public async Task A_long_header_that_is_not_valid_is_not_searched()
    {
        using var answer = await shop.Http.GetAsync("products/7", "Accept", $"x{new string(' ', 300)}x, */*");
        await answer.ShouldBeProblemAsync(HttpStatusCode.NotAcceptable, "accept.unmet");
    }

    [Theory]
    [InlineData("products/7")]
    [InlineData("orders/v2")]
    [InlineData("users/cursor")]
    [InlineData("reviews/stream")]
    public async Task HEAD_has_the_headers_of_GET(string path)
    {
        using var get = await shop.Http.GetAsync(path);
        using var request = new HttpRequestMessage(HttpMethod.Head, path);
        using var head = await shop.Http.SendAsync(request);

        head.StatusCode.ShouldBe(HttpStatusCode.OK);
        (await head.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
        head.Content.Headers.ContentType.ShouldBe(get.Content.Headers.ContentType);
        head.Headers.ETag.ShouldBe(get.Headers.ETag);
        head.Headers.CacheControl.ShouldBe(get.Headers.CacheControl);
        if (!path.EndsWith("stream", StringComparison.Ordinal))
        {
            head.Content.Headers.ContentLength.ShouldBe(get.Content.Headers.ContentLength);
        }
    }

    [Fact]
    public async Task A_write_is_not_allowed_here()
    {
        using var answer = await shop.Http.PostAsync("products/v2", null);
        await answer.ShouldBeProblemAsync(HttpStatusCode.MethodNotAllowed, "method.not_allowed");
        answer.Content.Headers.Allow.ShouldBe(["GET", "HEAD", "OPTIONS"]);
    }
}
