using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming;

/// <summary>The memory of this process, which is server and clients, while it sends very many documents.</summary>
[Collection(nameof(Measured))]
public sealed class StreamMemoryTests(StreamMemoryTests.Shop shop) : IClassFixture<StreamMemoryTests.Shop>
{
    private const long Megabyte = 1024 * 1024;
    // With a filter every stream is sent by rows.
    private const string Path = "categories/stream?isActive=true";

    private static readonly string[] formats =
        ["application/json", "application/x-ndjson", "application/x-msgpack", "application/json"];

    public sealed class Shop : ReadShop
    {
        public const int Count = 1_500_000;

        protected override async Task SeedAsync()
        {
            await using var connection = new NpgsqlConnection(Database.Projector);
            await connection.OpenAsync();
            await using var command = new NpgsqlCommand(
                $$"""
                DROP INDEX read.categories_by_name;
                ALTER TABLE read.categories SET UNLOGGED;
                INSERT INTO read.categories (id, version, revision, name, is_active, body)
                SELECT i, 1, i, '', true, convert_to(
                    '{"id":' || i || ',"description":"' || repeat('x', 100)
                        || '","createdDate":"2026-01-02T03:04:05Z"}',
                    'UTF8')
                FROM generate_series(1, {{Count}}) AS i;
                ANALYZE read.categories;
                """,
                connection) { CommandTimeout = 180 };
            await command.ExecuteNonQueryAsync();
        }
    }

    [Fact]
    public async Task Four_concurrent_streams_of_very_many_documents_need_little_memory()
    {
        await Task.WhenAll(formats.Select(format => ReadAsync(format, limit: 20_000)));
        var before = Environment.WorkingSet;
        var most = 0L;

        // The test forces no collection: garbage that is not collected yet counts too.
        var streams = Task.WhenAll(formats.Select(format => ReadAsync(format)));
        while (!streams.IsCompleted)
        {
            most = Math.Max(most, Environment.WorkingSet - before);
            await Task.WhenAny(streams, Task.Delay(20));
        }

        (await streams).Min().ShouldBeGreaterThan(Shop.Count * 100L);
        most.ShouldBeLessThan(60 * Megabyte);
    }

    private async Task<long> ReadAsync(string format, int limit = int.MaxValue)
    {
        using var request = new HttpRequestMessage(
            HttpMethod.Get, $"{Path}&limit={limit}") { Headers = { { "Accept", format } } };
        using var answer = await shop.Http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        await using var body = await answer.Content.ReadAsStreamAsync();
        var (buffer, total) = (new byte[64 * 1024], 0L);
        while (await body.ReadAsync(buffer) is > 0 and var count) total += count;
        return total;
    }
}
