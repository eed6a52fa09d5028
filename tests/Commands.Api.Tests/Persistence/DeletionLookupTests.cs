using System.Net;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>
/// In a shop of a million rows: a deletion of a row that no other refers to finds this out by the indexes of the
/// referring columns. The statements run with the plans for any value, which a busy process uses, and each in a session
/// of its own, whose end adds its reads to the statistics of the server.
/// </summary>
[Collection(nameof(Measured))]
public sealed class DeletionLookupTests(DeletionLookupTests.LargeShop shop)
    : IClassFixture<DeletionLookupTests.LargeShop>
{
    private const int Rows = 250_000;
    private const int Unused = 1_999_999;
    private const int MostBlocks = 100;

    public sealed class LargeShop : IAsyncLifetime
    {
        public CommandsApp App { get; } = new();

        public async Task InitializeAsync()
        {
            await App.InitializeAsync();
            // The reads of an automatic vacuum would be counted too.
            foreach (var table in (string[])["products", "orders", "order_items", "reviews"])
            {
                await using var alter = App.Superuser.CreateCommand(
                    $"ALTER TABLE shop.{table} SET (autovacuum_enabled = off)");
                await alter.ExecuteNonQueryAsync();
            }

            // Few values in each column, as of the categories of a shop: a plan for any of them expects to find some
            // of its rows soon, in whatever order it reads. Of the row to delete there is none.
            await using var command = App.Superuser.CreateCommand(
                $"""
                SET session_replication_role = replica;
                INSERT INTO shop.categories (id, name, is_active, created_date, version)
                SELECT i, 'Lights', true, now(), 1 FROM unnest(ARRAY[1, {Unused}]) AS i;
                INSERT INTO shop.users (id, email, first_name, last_name, password_hash, created_date, is_active,
                    version)
                VALUES ({Unused}, 'unused@example.com', 'A', 'B', '', now(), true, 1);
                INSERT INTO shop.products (id, name, price, stock, is_active, is_featured, category_id, created_date,
                    version)
                SELECT i, 'Lamp', 9.90, 1, true, false, 1 + i % 15, now(), 1
                FROM (SELECT generate_series(1, {Rows}) AS i UNION ALL SELECT {Unused}) AS numbers;
                INSERT INTO shop.orders (id, user_id, order_date, status, total_amount, shipping_address, version)
                SELECT i, 1 + i % 20, now(), 'Pending', 1, 'Here', 1 FROM generate_series(1, {Rows}) AS i;
                INSERT INTO shop.order_items (order_id, product_id, quantity, unit_price, total_price)
                SELECT i, 1 + i % 20, 1, 1, 1 FROM generate_series(1, {Rows}) AS i;
                INSERT INTO shop.reviews (id, product_id, user_id, rating, created_date, is_verified_purchase, version)
                SELECT i, 1 + i % 20, 1 + i / 20, 5, now(), false, 1 FROM generate_series(1, {Rows}) AS i;
                ANALYZE;
                SELECT pg_stat_force_next_flush();
                """);
            command.CommandTimeout = 300;
            await command.ExecuteNonQueryAsync();
        }

        public Task DisposeAsync() => App.DisposeAsync();
    }

    [Theory]
    [InlineData("categories", "products")]
    [InlineData("users", "orders", "reviews")]
    [InlineData("products", "order_items", "reviews")]
    public async Task A_deletion_reads_some_blocks_of_the_tables_that_could_refer_to_the_row(
        string resource, params string[] referring)
    {
        var database = $"{shop.App.Database.Commands};Pooling=false;Options=-c plan_cache_mode=force_generic_plan";
        await using var api = CommandsApp.Start(database);
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        var before = await BlocksAsync(referring);

        using var response = await http.DeleteAsync($"/{resource}/{Unused}");

        response.StatusCode.ShouldBe(HttpStatusCode.NoContent, await response.Content.ReadAsStringAsync());
        await Eventually.Holds(
            async () => await BlocksAsync(referring) > before, "the statistics have the reads of the deletion");
        (await BlocksAsync(referring) - before).ShouldBeLessThan(MostBlocks);
    }

    private Task<long> BlocksAsync(string[] tables) => shop.App.ScalarAsync<long>(
        $"""
        SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::bigint
        FROM pg_statio_user_tables
        WHERE schemaname = 'shop' AND relname IN ('{string.Join("', '", tables)}')
        """);
}
