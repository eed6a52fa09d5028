using System.Text;
using System.Text.Json;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Streaming;

[Collection(nameof(Measured))]
public sealed class LargeStreamTests(ManyProducts shop) : IClassFixture<ManyProducts>
{
    private static readonly int[] all = [.. Enumerable.Range(1, ManyProducts.Count)];

    [Fact]
    public async Task The_whole_table_as_one_array()
    {
        var expected =
            $"[{string.Join(',', all.Select(id => Encoding.UTF8.GetString(Documents.Body("products", id))))}]";
        var text = await shop.Http.GetStringAsync("products/stream");
        text.Equals(expected, StringComparison.Ordinal).ShouldBeTrue();
    }

    [Fact]
    public async Task The_whole_table_as_lines()
    {
        using var answer = await shop.Http.GetAsync("products/stream", "Accept", "application/x-ndjson");
        var lines = (await answer.Content.ReadAsStringAsync()).Split('\n');
        lines[^1].ShouldBeEmpty();
        lines.SkipLast(1).SequenceEqual(all.Select(id => Encoding.UTF8.GetString(Documents.Body("products", id))))
            .ShouldBeTrue();
    }

    [Fact]
    public async Task The_whole_table_as_maps()
    {
        using var answer = await shop.Http.GetAsync("products/stream", "Accept", "application/x-msgpack");
        var maps = await PythonMessagePack.DecodeAsync(await answer.Content.ReadAsByteArrayAsync());
        maps.Count.ShouldBe(all.Length);
        foreach (var (map, id) in maps.Zip(all))
        {
            PythonMessagePack.AreEqual(map, JsonElement.Parse(Documents.Body("products", id)))
                .ShouldBeTrue($"{map} is not that of {id}");
        }
    }

    [Theory]
    [InlineData("application/json")]
    [InlineData("application/x-msgpack")]
    public async Task The_allocations_of_a_stream_do_not_grow_with_its_length(string accept)
    {
        await AllocatedAsync(accept);
        var allocated = await AllocatedAsync(accept);
        allocated.ShouldBeLessThan(2_000_000, "a stream of several megabytes must not pass through strings or objects");
    }

    [Fact]
    public async Task Large_documents_after_small_ones_do_not_fill_the_memory()
    {
        byte[] small = [.. "{}"u8];
        var large = Encoding.UTF8.GetBytes($"{{\"name\":\"{new string('x', 20_000)}\"}}");
        await shop.PutAsync("reviews", [.. Enumerable.Range(1, 1500)], id => id > 64 ? large : small);
        await using var app = new QueriesApp(shop.Database.Queries).With("Streaming:SegmentMegabytes", 16);
        using var http = app.CreateClient();
        await AllocatedAsync("application/json", "reviews/stream", http);
        (await AllocatedAsync("application/json", "reviews/stream", http)).ShouldBeLessThan(5_000_000);
    }

    private async Task<long> AllocatedAsync(string accept, string path = "products/stream", HttpClient? http = null)
    {
        var before = GC.GetTotalAllocatedBytes();
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Add("Accept", accept);
        using var answer = await (http ?? shop.Http).SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        await answer.Content.CopyToAsync(Stream.Null);
        return GC.GetTotalAllocatedBytes() - before;
    }
}
