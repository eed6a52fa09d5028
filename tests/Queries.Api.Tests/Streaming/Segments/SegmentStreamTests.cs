using System.Net;
using System.Text;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

public sealed class SegmentStreamTests(SegmentShop shop) : IClassFixture<SegmentShop>
{
    private const string Json = "application/json";
    private const string Lines = "application/x-ndjson";

    public static TheoryData<string, string> Streams()
    {
        var data = new TheoryData<string, string>();
        foreach (var resource in Documents.Resources)
        {
            foreach (var mediaType in SegmentShop.MediaTypes) data.Add(resource, mediaType);
        }

        return data;
    }

    [Theory, MemberData(nameof(Streams))]
    public async Task A_cached_collection_is_sent_byte_for_byte_as_its_rows_are(string resource, string mediaType)
    {
        await shop.ShouldAgreeAsync($"{resource}/stream", mediaType);
        using var read = shop.CountReads();
        await shop.ShouldAgreeAsync($"{resource}/stream", mediaType);
        read.Value.ShouldBe(0);
    }

    [Theory, MemberData(nameof(Streams))]
    public async Task A_limit_cuts_a_segment_where_it_would_cut_the_rows(string resource, string mediaType)
    {
        // In the first segment there are 497 living documents, in the second 499, in the third 300, in the fourth 119.
        foreach (var limit in (int[])[500, 501, 995, 996, 997, 1000, 1295, 1296, 1414, 1415, 1416, 1417, 5000])
        {
            await shop.ShouldAgreeAsync($"{resource}/stream?limit={limit}", mediaType);
        }
    }

    [Fact]
    public async Task A_few_documents_are_read_without_caching_the_collection()
    {
        await RaiseAsync("products");
        using var read = shop.CountReads();
        Documents.Ids(await shop.Http.JsonAsync("products/stream?limit=500")).Count.ShouldBe(500);
        await shop.ShouldAgreeAsync("products/stream?isActive=true", Json);
        await shop.ShouldAgreeAsync("products/stream?sort=name", Json);
        read.Value.ShouldBe(0);
    }

    [Fact]
    public async Task A_stream_has_a_content_length()
    {
        using var answer = await shop.Http.GetAsync("products/stream?limit=600", "Accept", Json);
        answer.Content.Headers.ContentLength.ShouldBe((await answer.Content.ReadAsByteArrayAsync()).Length);
        answer.Headers.TransferEncodingChunked.ShouldBeNull();
    }

    [Fact]
    public async Task The_next_response_shows_every_change_and_no_other_segment_is_read_again()
    {
        await shop.ShouldAgreeAsync("reviews/stream", Lines);
        await ShouldReadAsync(
            1,
            () => shop.PutAsync("reviews", [20], id => Encoding.UTF8.GetBytes($"{{\"id\":{id},\"comment\":\"new\"}}")),
            [0]);
        await ShouldReadAsync(1, () => shop.DeleteAsync("reviews", [700]), [1]);
        await ShouldReadAsync(2, () => shop.PutAsync("reviews", [700, 1300]), [1, 2]);
        await ShouldReadAsync(1, () => shop.PutAsync("reviews", [9000]), [18]);
        await ShouldReadAsync(1, () => shop.DeleteAsync("reviews", [9000]), [18]);
        await ShouldReadAsync(0, () => Task.CompletedTask, []);
    }

    [Fact]
    public async Task An_emptied_collection_is_empty_in_every_format()
    {
        await using var other = new QueriesApp(shop.Database.Queries);
        using var http = other.CreateClient();
        await shop.DeleteAsync("categories", SegmentShop.Ids);
        string[] texts = [.. await Task.WhenAll(SegmentShop.MediaTypes.Select(async type =>
            Encoding.UTF8.GetString(await SegmentShop.BytesAsync(http, "categories/stream", type))))];
        texts.ShouldBe(["[]", "", ""]);
        foreach (var mediaType in SegmentShop.MediaTypes) await shop.ShouldAgreeAsync("categories/stream", mediaType);

        await shop.PutManyAsync("categories", [.. SegmentShop.Ids.Except(SegmentShop.Deleted)]);
        foreach (var mediaType in SegmentShop.MediaTypes) await shop.ShouldAgreeAsync("categories/stream", mediaType);
    }

    [Fact]
    public async Task In_a_schema_of_another_epoch_the_same_versions_are_other_documents()
    {
        await shop.ShouldAgreeAsync("users/stream", Json);
        await shop.ExecuteAsync(
            """
            UPDATE read.users SET body = convert_to(replace(convert_from(body, 'UTF8'), 'Ann', 'Zoe'), 'UTF8')
            WHERE NOT is_deleted
            """);
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = epoch + 1");
        Encoding.UTF8.GetString(await shop.ShouldAgreeAsync("users/stream", Json)).ShouldContain("Zoe");
    }

    [Fact]
    public async Task One_row_raises_the_versions_of_all_segments_each_time()
    {
        foreach (var kind in (string[])["categories", "users"]) await shop.ShouldAgreeAsync($"{kind}/stream", Json);
        for (var times = 0; times < 2; times++)
        {
            await shop.ExecuteAsync($"""
                INSERT INTO read.segments AS s VALUES ('categories', {ReadTables.AllSegments}, 1, 0)
                ON CONFLICT (kind, segment) DO UPDATE SET version = s.version + 1
                """);
            using var read = shop.CountReads();
            await shop.ShouldAgreeAsync("categories/stream", Json);
            await shop.ShouldAgreeAsync("users/stream", Json);
            await shop.ShouldAgreeAsync("categories/stream", Json);
            read.Value.ShouldBe(SegmentShop.Segments);
        }
    }

    [Fact]
    public async Task Concurrent_callers_read_a_changed_segment_once()
    {
        await shop.ShouldAgreeAsync("orders/stream", Json);
        await RaiseAsync("orders");
        using var read = shop.CountReads();
        var answers = await Task.WhenAll(
            Enumerable.Range(0, 24).Select(_ => SegmentShop.BytesAsync(shop.Http, "orders/stream", Json)));
        answers.Select(answer => answer.Length).Distinct().ShouldHaveSingleItem();
        read.Value.ShouldBe(SegmentShop.Segments);
    }

    [Fact]
    public async Task Without_the_database_nothing_is_sent_from_memory()
    {
        await SegmentShop.BytesAsync(shop.Http, "products/stream", Json);
        await shop.ExecuteAsync("ALTER TABLE read.segments RENAME TO away");
        try
        {
            using var answer = await shop.Http.GetAsync("products/stream");
            answer.StatusCode.ShouldBe(HttpStatusCode.InternalServerError);
        }
        finally
        {
            await shop.ExecuteAsync("ALTER TABLE read.away RENAME TO segments");
        }

        await shop.ShouldAgreeAsync("products/stream", Json);
    }

    [Theory]
    [InlineData("orders")]
    [InlineData("users")]
    public async Task A_cached_collection_needs_the_same_scope(string resource)
    {
        await SegmentShop.BytesAsync(shop.Http, $"{resource}/stream", Json);
        using var stranger = shop.App.CreateClient();
        using var answer = await stranger.GetAsync($"{resource}/stream");
        answer.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        using var known = await shop.Http.GetAsync($"{resource}/stream");
        known.Headers.CacheControl!.ToString().ShouldBe("no-store, private");
    }

    private async Task ShouldReadAsync(int segments, Func<Task> change, int[] raised)
    {
        // The fixture raises every segment; the projector only those of the documents it changed.
        var versions = await shop.VersionsAsync("reviews");
        await change();
        await shop.KeepVersionsAsync("reviews", versions, raised);
        using var read = shop.CountReads();
        await shop.ShouldAgreeAsync("reviews/stream", Lines);
        read.Value.ShouldBe(segments);
    }

    private Task RaiseAsync(string resource) =>
        shop.ExecuteAsync($"UPDATE read.segments SET version = version + 1 WHERE kind = '{resource}'");
}
