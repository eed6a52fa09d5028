using System.Net;
using System.Text;
using System.Text.Json;
using ApexShop.Queries.Api.Tests.Compression;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class StreamDocumentsTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    private const int StreamBroken = 6001;

    [Theory, ClassData(typeof(EveryResource))]
    public async Task Every_format_has_every_living_document_once_in_order(string resource)
    {
        string[] documents = [.. FewOfEach.Living.Select(id => Encoding.UTF8.GetString(Documents.Body(resource, id)))];

        var array = await TextAsync($"{resource}/stream", "application/json");
        array.ShouldBe($"[{string.Join(',', documents)}]");
        var lines = await TextAsync($"{resource}/stream", "application/x-ndjson");
        lines.ShouldBe(string.Join('\n', documents) + '\n');
        using var packed = await shop.Http.GetAsync($"{resource}/stream", "Accept", "application/x-msgpack");
        var maps = await PythonMessagePack.DecodeAsync(await packed.Content.ReadAsByteArrayAsync());
        maps.Count.ShouldBe(documents.Length);
        maps.Zip(documents)
            .ShouldAllBe(pair => PythonMessagePack.AreEqual(pair.First, JsonElement.Parse(pair.Second), false));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(27)]
    [InlineData(28)]
    public async Task A_limit_ends_the_stream_earlier(int limit)
    {
        var documents = await shop.Http.JsonAsync($"products/stream?limit={limit}");
        Documents.Ids(documents).ShouldBe(FewOfEach.Living.Take(limit));
    }

    [Fact]
    public async Task A_limit_above_the_configured_one_counts_as_that()
    {
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:MaxDocuments", 6);
        using var http = app.CreateClient();
        foreach (var path in (string[])["products/stream?limit=7", "products/stream?limit=99999999999"])
        {
            Documents.Ids(await http.JsonAsync(path)).ShouldBe(FewOfEach.Living.Take(6));
        }
    }

    [Fact]
    public async Task A_stream_that_lacks_documents_of_its_list_does_not_look_complete()
    {
        var living = FewOfEach.Living.Count;
        await using var exact = new QueriesApp(shop.Database.Queries).With("Streaming:MaxDocuments", living);
        using (var http = exact.CreateClient())
            Documents.Ids(await http.JsonAsync("products/stream")).ShouldBe(FewOfEach.Living);

        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:MaxDocuments", living - 1);
        using var client = app.CreateClient();
        foreach (var coding in (string[])["identity", "br"])
            await client.ShouldBreakOffAsync("products/stream", coding);
        await Eventually.Holds(() => app.Logged.Contains(StreamBroken), "it is reported");
    }

    [Fact]
    public async Task An_empty_list_is_an_empty_collection()
    {
        await shop.EmptyAsync("reviews");
        (await TextAsync("reviews/stream", "application/json")).ShouldBe("[]");
        (await TextAsync("reviews/stream", "application/x-ndjson")).ShouldBe("");
        (await TextAsync("reviews/stream", "application/x-msgpack")).ShouldBe("");
        await shop.PutAsync("reviews", [.. FewOfEach.Living]);
    }

    [Theory]
    [InlineData("limit=0", "limit")]
    [InlineData("limit=-1", "limit")]
    [InlineData("limit=all", "limit")]
    [InlineData("page=1", "page")]
    public async Task A_parameter_that_is_unknown_or_malformed_is_rejected_by_name(string query, string named)
    {
        using var answer = await shop.Http.GetAsync($"products/stream?{query}", "Accept", "application/x-msgpack");
        var problem = await answer.ShouldBeProblemAsync(HttpStatusCode.BadRequest, "query.invalid");
        problem.Named().ShouldBe([named]);
    }

    [Fact]
    public async Task A_stream_without_an_ETag_may_not_be_cached_by_clients()
    {
        using var answer = await shop.Http.GetAsync("products/stream?isActive=true");
        answer.Headers.ETag.ShouldBeNull();
        answer.Headers.CacheControl!.ToString().ShouldBe("no-store");
    }

    private async Task<string> TextAsync(string path, string accept)
    {
        using var answer = await shop.Http.GetAsync(path, "Accept", accept);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        return await answer.Content.ReadAsStringAsync();
    }
}
