using System.Text;
using ApexShop.Queries.Api.Streaming.Segments;
using ApexShop.Queries.Api.Tests.Compression;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

/// <summary>Compressed segments are kept, and decompressed they are the rows.</summary>
public sealed class CompressedSegmentTests(SegmentShop shop) : IClassFixture<SegmentShop>
{
    public static TheoryData<string, string> Forms()
    {
        var data = new TheoryData<string, string>();
        foreach (var mediaType in SegmentShop.MediaTypes)
        {
            data.Add(mediaType, "br");
            data.Add(mediaType, "gzip");
        }

        return data;
    }

    [Theory, MemberData(nameof(Forms))]
    public async Task A_compressed_collection_is_kept_and_has_the_bytes_of_its_rows(string mediaType, string coding)
    {
        await ShouldAgreeAsync("products/stream", mediaType, coding);
        using var read = shop.CountReads();
        var body = await ShouldAgreeAsync("products/stream", mediaType, coding);
        body.ShouldBe(await ShouldAgreeAsync("products/stream", mediaType, coding));
        read.Value.ShouldBe(0);
    }

    [Theory, MemberData(nameof(Forms))]
    public async Task The_next_response_shows_a_change_and_only_its_segment_is_compressed_again(
        string mediaType, string coding)
    {
        await ShouldAgreeAsync("reviews/stream", mediaType, coding);
        var versions = await shop.VersionsAsync("reviews");
        var comment = $"new {Guid.NewGuid()}";
        await shop.PutAsync(
            "reviews", [20], id => Encoding.UTF8.GetBytes($$"""{"id":{{id}},"comment":"{{comment}}"}"""));
        await shop.KeepVersionsAsync("reviews", versions, [0]);
        using var read = shop.CountReads();
        await ShouldAgreeAsync("reviews/stream", mediaType, coding);
        read.Value.ShouldBe(1);
    }

    [Theory, MemberData(nameof(Forms))]
    public async Task A_limit_cuts_the_collection_as_it_does_uncompressed(string mediaType, string coding)
    {
        foreach (var limit in (int[])[501, 995, 1416, 5000])
            await ShouldAgreeAsync($"products/stream?limit={limit}", mediaType, coding, hasLength: false);
    }

    [Fact]
    public async Task A_compressed_collection_of_more_documents_than_a_stream_may_have_does_not_look_complete()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:MaxDocuments", 600);
        using var http = app.CreateClient();
        await http.ShouldBreakOffAsync("products/stream", "br");
    }

    [Theory]
    [InlineData("br")]
    [InlineData("gzip")]
    public async Task An_empty_segment_separates_nothing(string coding)
    {
        int[] segment = [.. Enumerable.Range(500, 500)];
        await shop.DeleteAsync("categories", segment);
        foreach (var mediaType in SegmentShop.MediaTypes)
            await ShouldAgreeAsync("categories/stream", mediaType, coding);
        int[] first = [.. Enumerable.Range(1, 499)];
        await shop.DeleteAsync("categories", first);
        foreach (var mediaType in SegmentShop.MediaTypes)
            await ShouldAgreeAsync("categories/stream", mediaType, coding);
        await shop.PutManyAsync("categories", [.. first.Concat(segment).Except(SegmentShop.Deleted)]);
    }

    [Fact]
    public async Task Documents_that_need_a_scope_are_neither_compressed_nor_kept_so()
    {
        using var answer = await shop.Http.GetCodedAsync("orders/stream", "br");
        answer.Content.Headers.ContentEncoding.ShouldBeEmpty();
        answer.Headers.Vary.ShouldBe(["Accept"]);
    }

    [Fact]
    public async Task A_collection_takes_as_much_memory_as_its_compressed_bytes()
    {
        await using var app = new QueriesApp(shop.Database.Queries);
        using var http = app.CreateClient();
        using var answer = await http.GetCodedAsync("products/stream", "br");
        var bytes = await answer.Content.ReadAsByteArrayAsync();
        app.Services.GetRequiredService<SegmentStream>().Budget.Taken
            .ShouldBeInRange(bytes.Length - 100, bytes.Length + (SegmentShop.Segments * 300));
    }

    private async Task<byte[]> ShouldAgreeAsync(string path, string mediaType, string coding, bool hasLength = true)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.TryAddWithoutValidation("Accept-Encoding", coding);
        request.Headers.TryAddWithoutValidation("Accept", mediaType);
        using var answer = await shop.Http.SendAsync(request);
        answer.Content.Headers.ContentEncoding.ShouldBe([coding]);
        answer.Headers.Vary.ShouldBe(["Accept", "Accept-Encoding"]);
        var compressed = await answer.Content.ReadAsByteArrayAsync();
        if (hasLength) answer.Content.Headers.ContentLength.ShouldBe(compressed.Length);
        var rows = await SegmentShop.BytesAsync(shop.ByRows, path, mediaType);
        var decoded = await answer.DecodedAsync();
        decoded.AsSpan().SequenceEqual(rows).ShouldBeTrue($"{path} as {mediaType}, {coding}: {decoded.Length} bytes");
        return compressed;
    }
}
