using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>
/// Lists of 300,000 products of which nearly none fulfils the filter. Each connection is closed after its use, whose
/// reads are then in the statistics of the server.
/// </summary>
public sealed class SparseWalkTests(SparseWalkTests.Shop shop) : IClassFixture<SparseWalkTests.Shop>
{
    private const int Products = 300_000;

    // In no order the first or the last.
    private static readonly int[] inStock = [123_456, 234_567];

    public sealed class Shop : ReadShop
    {
        protected override async Task SeedAsync()
        {
            await GeneratedRows.MakeAsync(
                Database.Projector, "products", Products, """convert_to('{"id":' || i || '}', 'UTF8')""");
            await ExecuteAsync("ALTER TABLE read.products SET (autovacuum_enabled = off)");
            await ExecuteAsync("UPDATE read.products SET stock = CASE WHEN id = ANY ($1) THEN 1 ELSE 0 END", inStock);
            await ExecuteAsync("VACUUM ANALYZE read.products");
        }

        private protected override QueriesApp Configure(QueriesApp queries) =>
            queries.With("ConnectionStrings:Read", $"{Database.Queries};Pooling=false");
    }

    [Theory]
    [InlineData("products/cursor?inStock=true&sort=price")]
    [InlineData("products/cursor?inStock=true&sort=rating")]
    [InlineData("products/v2?inStock=true&sort=price")]
    public async Task A_list_in_which_nearly_nothing_matches_is_read_without_a_scan_of_its_whole_index(string path)
    {
        var before = await BlocksAsync();
        var page = await shop.Http.JsonAsync(path);
        Documents.Ids(page.GetProperty("data")).ShouldBe(inStock, ignoreOrder: true);

        await Eventually.Holds(async () => await SessionsAsync() == 0, "the statistics have the reads");
        // In the order of an index each row takes a block at least.
        (await BlocksAsync() - before).ShouldBeLessThan(Products / 3);
    }

    private Task<long> BlocksAsync() => NumberAsync(
        """
        SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::bigint
        FROM pg_statio_user_tables WHERE schemaname = 'read' AND relname = 'products'
        """);

    private Task<long> SessionsAsync() => NumberAsync(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'apexshop-queries-products-%'
        """);

    private async Task<long> NumberAsync(string sql)
    {
        await using var connection = new NpgsqlConnection(shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        return (long)(await command.ExecuteScalarAsync())!;
    }
}
