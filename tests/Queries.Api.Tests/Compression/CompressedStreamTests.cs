using System.Net;
using System.Security.Cryptography;
using System.Text;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Compression;

/// <summary>
/// Streams of documents that hardly compress and are larger than all buffers between server and client.
/// </summary>
public sealed class CompressedStreamTests(CompressedStreamTests.Shop shop) : IClassFixture<CompressedStreamTests.Shop>
{
    private const int StreamBroken = 6001;

    public sealed class Shop : ReadShop
    {
        protected override async Task SeedAsync()
        {
            await PutAsync("products", [.. Enumerable.Range(1, 1500)], Body);
            await PutAsync("categories", [.. Enumerable.Range(1, 2000)]);
            await PutAsync("reviews", [.. Enumerable.Range(1, 2)]);
        }

        private protected override QueriesApp Configure(QueriesApp queries) => queries.With("Streaming:Concurrent", 1);

        private static byte[] Body(int id) => Encoding.UTF8.GetBytes(
            $"{{\"id\":{id},\"padding\":\"{Convert.ToHexString(RandomNumberGenerator.GetBytes(20_000))}\"}}");
    }

    [Theory]
    [InlineData("br", "application/json")]
    [InlineData("br", "application/x-ndjson")]
    [InlineData("br", "application/x-msgpack")]
    [InlineData("gzip", "application/json")]
    [InlineData("gzip", "application/x-ndjson")]
    [InlineData("gzip", "application/x-msgpack")]
    public async Task A_compressed_stream_has_fewer_bytes_and_the_same_content(string coding, string accept)
    {
        using var plain = await GetAsync("categories/stream", "identity", accept);
        plain.Content.Headers.ContentEncoding.ShouldBeEmpty();
        plain.Headers.Vary.ShouldBe(["Accept", "Accept-Encoding"]);
        var expected = await plain.Content.ReadAsByteArrayAsync();

        using var coded = await GetAsync("categories/stream", coding, accept);
        coded.Content.Headers.ContentEncoding.ShouldBe([coding]);
        coded.Headers.Vary.ShouldBe(["Accept", "Accept-Encoding"]);
        (await coded.Content.ReadAsByteArrayAsync()).Length.ShouldBeLessThan(expected.Length / 3);

        using var again = await GetAsync("categories/stream", coding, accept);
        (await again.DecodedAsync()).ShouldBe(expected);
    }

    [Theory]
    [InlineData("reviews/stream?limit=1")]
    [InlineData("reviews/stream?userId=2147483647")]
    public async Task A_short_stream_is_not_compressed_since_it_would_grow(string path)
    {
        using var answer = await GetAsync(path, "gzip", "application/json");
        answer.Content.Headers.ContentEncoding.ShouldBeEmpty();
        answer.Headers.Vary.ShouldBe(["Accept", "Accept-Encoding"]);
        (await answer.Content.ReadAsStringAsync()).ShouldStartWith("[");
    }

    [Theory]
    [InlineData("br")]
    [InlineData("gzip")]
    public async Task The_first_documents_can_be_read_while_the_stream_is_running(string coding)
    {
        using var answer = await GetAsync("products/stream", coding, "application/x-ndjson");
        await using var plain = await answer.PlainAsync();
        var first = new byte[8];
        await plain.ReadExactlyAsync(first);

        Encoding.UTF8.GetString(first).ShouldBe("{\"id\":1,");
        // Of about 60 MB, or 30 compressed, the buffers hold only a few: the only permit is still taken.
        using var other = await TryAsync("products/stream", coding, "application/json");
        await other.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "streams.busy");
    }

    [Theory]
    [InlineData("br")]
    [InlineData("gzip")]
    public async Task A_compressed_stream_that_fails_has_no_end_mark(string coding)
    {
        // By rows, since a stream from memory cannot fail.
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 0);
        using var http = app.CreateClient();
        using var answer = await http.GetCodedAsync("products/stream", coding);
        answer.Content.Headers.ContentEncoding.ShouldBe([coding]);
        await shop.ExecuteAsync("ALTER TABLE read.products RENAME TO away");
        try
        {
            await Should.ThrowAsync<Exception>(answer.DecodedAsync);
            await Eventually.Holds(() => app.Logged.Contains(StreamBroken), "it is reported");
        }
        finally
        {
            await shop.ExecuteAsync("ALTER TABLE read.away RENAME TO products");
        }
    }

    // The only permit is released shortly after its stream has ended.
    private async Task<HttpResponseMessage> GetAsync(string path, string coding, string accept)
    {
        HttpResponseMessage? answer = null;
        await Eventually.Holds(
            async () => (answer = await TryAsync(path, coding, accept)).StatusCode != HttpStatusCode.ServiceUnavailable,
            "the permit is free");
        return answer!;
    }

    private async Task<HttpResponseMessage> TryAsync(string path, string coding, string accept)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.TryAddWithoutValidation("Accept-Encoding", coding);
        request.Headers.TryAddWithoutValidation("Accept", accept);
        return await shop.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
    }
}
