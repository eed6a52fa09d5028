using System.Text;
using System.Text.Json;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

/// <summary>The tables are switched to a rebuilt schema whose segments have the same versions.</summary>
public sealed class SegmentRebuildTests(SegmentRebuildTests.Shop shop) : IClassFixture<SegmentRebuildTests.Shop>
{
    private const int Exchanges = 12;

    private long generation;

    public sealed class Shop : ReadShop
    {
        public static IReadOnlyList<int> Ids { get; } = [.. Enumerable.Range(1, 1600)];

        protected override Task SeedAsync() => PutAsync("reviews", Ids, id => Body(id, 0));
    }

    [Fact]
    public async Task A_response_is_of_one_schema_and_never_of_one_that_was_replaced_before_the_request()
    {
        using var stop = new CancellationTokenSource();
        var readers = Enumerable.Range(0, 3).Select(_ => ReadAsync(stop.Token)).ToList();
        for (var i = 0; i < Exchanges; i++) await ExchangeAsync(generation + 1);
        await stop.CancelAsync();
        (await Task.WhenAll(readers)).ShouldAllBe(reads => reads > 0);
    }

    // Filled next to the old tables and switched in one short transaction, in either order.
    private async Task ExchangeAsync(long next)
    {
        await shop.ExecuteAsync(
            """
            CREATE TABLE read.reviews_next (LIKE read.reviews INCLUDING ALL);
            CREATE TABLE read.segments_next (LIKE read.segments INCLUDING ALL)
            """);
        await shop.ExecuteAsync("INSERT INTO read.segments_next SELECT * FROM read.segments");
        await shop.ExecuteAsync(
            """
            INSERT INTO read.reviews_next (id, version, revision, body)
            SELECT id, 1, 1, body FROM unnest($1, $2) AS given (id, body)
            """,
            Shop.Ids.ToArray(), Shop.Ids.Select(id => Body(id, next)).ToArray());
        foreach (var table in (string[])["reviews_next", "segments_next"])
            await shop.ExecuteAsync($"GRANT SELECT ON read.{table} TO queries");
        string[] tables = next % 2 == 0 ? ["reviews", "segments"] : ["segments", "reviews"];
        var switches = tables.Select(
            table => $"DROP TABLE read.{table}; ALTER TABLE read.{table}_next RENAME TO {table};");
        await shop.ExecuteAsync($"""
            BEGIN;
            {string.Concat(switches)}
            UPDATE read.projection_state SET epoch = epoch + 1;
            COMMIT
            """);
        Interlocked.Exchange(ref generation, next);
    }

    private async Task<int> ReadAsync(CancellationToken stop)
    {
        var reads = 0;
        for (; !stop.IsCancellationRequested; reads++)
        {
            var least = Interlocked.Read(ref generation);
            var documents = JsonElement.Parse(
                await SegmentShop.BytesAsync(shop.Http, "reviews/stream", "application/json"));
            documents.GetArrayLength().ShouldBe(Shop.Ids.Count);
            var met = documents.EnumerateArray().Select(document => document.GetProperty("generation").GetInt64())
                .Distinct();
            met.ShouldHaveSingleItem().ShouldBeGreaterThanOrEqualTo(least);
        }

        return reads;
    }

    private static byte[] Body(int id, long generation) =>
        Encoding.UTF8.GetBytes($"{{\"id\":{id},\"generation\":{generation}}}");
}
