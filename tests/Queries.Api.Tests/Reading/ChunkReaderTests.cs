using System.Text;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.Reading;

/// <summary>Chunks of documents of very different length: each tenth is a thousand times as long.</summary>
public sealed class ChunkReaderTests(ChunkReaderTests.Shop shop) : IClassFixture<ChunkReaderTests.Shop>
{
    private const int Documents = 200;
    private const int Long = 20_000;

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync() => PutAsync("products", [.. Enumerable.Range(1, Documents)], Body);

        public static byte[] Body(int id) =>
            Encoding.UTF8.GetBytes(
                $"{{\"id\":{id},\"price\":{id % 7}.50,\"name\":\"{new string('x', id % 10 == 0 ? Long : 20)}\"}}");
    }

    [Theory]
    [InlineData("", 1)]
    [InlineData("", 1_000)]
    [InlineData("", 50_000)]
    [InlineData("", int.MaxValue)]
    [InlineData("sort=price", 50_000)]
    [InlineData("sort=-price", 1_000)]
    public async Task Chunks_put_together_are_the_list_and_none_has_more_bytes_than_it_may(string query, int most)
    {
        var parameters = new QueryParameters(new QueryCollection(QueryHelpers.ParseQuery(query)));
        var list = ListQuery.From(ReadModel.All[0], parameters);
        parameters.Problem().ShouldBeNull();
        var database = shop.App.Services.GetRequiredService<ReadDatabase>();
        var chunks = new ChunkReader(_ => database.Pages);
        using var chunk = new PooledBuffer(16);
        using var all = new MemoryStream();
        var (start, count, hasMore) = (ScanStart.Beginning, 0, true);
        while (hasMore)
        {
            var slice = await chunks.ChunkAsync(list, start, 64, most, (byte)'\n', chunk, CancellationToken.None);
            if (slice.Count > 1) (chunk.Length - slice.Count).ShouldBeLessThanOrEqualTo(most);
            all.Write(chunk.Written.Span);
            (start, count, hasMore) = (ScanStart.After(slice.Last), count + slice.Count, slice.HasMore);
        }

        count.ShouldBe(Documents);
        var page = await shop.App.Services.GetRequiredService<PageLoader>()
            .ReadAsync(list, ScanStart.Beginning, Documents, CancellationToken.None);
        using var text = page.Text;
        Encoding.UTF8.GetString(text.Written.Span)
            .ShouldContain(Encoding.UTF8.GetString(all.ToArray()).TrimEnd('\n').Replace('\n', ','));
    }
}
