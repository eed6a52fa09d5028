using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Comparison;

/// <summary>A shop with data and stopped processes: nothing repairs the faults that a test plants.</summary>
public sealed class SilentShop : IAsyncLifetime
{
    public Shop Shop { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Shop = await Shop.StartAsync();
        var traffic = await Traffic.PrepareAsync(Shop, products: 5, users: 3, stock: 100);
        var random = new Random(1);
        for (var i = 0; i < 40; i++) await traffic.AnythingAsync(random);
        await new ShopState(Shop).ProjectedAsync();
        await Task.WhenAll(Shop.Commands.KillAsync(), Shop.Projector.KillAsync());
    }

    public async Task DisposeAsync()
    {
        if (Shop is not null) await Shop.DisposeAsync();
    }
}

/// <summary>The comparison that proves all guarantees finds planted faults.</summary>
public sealed class ShopStateTests(SilentShop silent, ITestOutputHelper output)
    : ShopTests(silent.Shop, output), IClassFixture<SilentShop>
{
    [Fact]
    public async Task A_consistent_shop_has_no_differences()
    {
        await State.DocumentsEqualTablesAsync();
        await State.LogIsWholeAsync();
        await State.LogEqualsTablesAsync();
    }

    [Theory]
    [InlineData(
        "read.products", "data = jsonb_set(data, '{stock}', '77777')",
        "data = convert_from(body, 'UTF8')::jsonb", "stock is 77777, expected")]
    [InlineData(
        "read.orders", "data = data - 'itemCount'",
        "data = convert_from(body, 'UTF8')::jsonb", "itemCount is absent, expected")]
    [InlineData(
        "read.users", "data = data || '{\"passwordHash\": 1}'",
        "data = data - 'passwordHash'", "passwordHash is 1, expected absent")]
    [InlineData("read.users", "is_deleted = true", "is_deleted = false", "has a row but no document")]
    [InlineData("read.users", "is_deleted = true", "is_deleted = false", "keeps its document")]
    [InlineData("read.categories", "id = id + 100000", "id = id - 100000", "has a document but no row")]
    [InlineData(
        "read.categories", "body = body || ' '::bytea || '1'::bytea",
        "body = convert_to(data::text, 'UTF8')", "invalid")]
    [InlineData(
        "read.users", "body = convert_to((data || '{\"lastName\": 9}')::text, 'UTF8')",
        "body = convert_to(data::text, 'UTF8')", "has a body that is not its data")]
    [InlineData("read.products", "category_id = 0", "category_id = (data->'category'->>'id')::int", "promoted columns")]
    [InlineData(
        "read.segments", "document_count = document_count + 1",
        "document_count = document_count - 1", "documents, there are")]
    public async Task A_faulty_document_is_found(string table, string plant, string undo, string seen) =>
        await FoundAsync(State.DocumentsEqualTablesAsync, table, plant, undo, seen);

    [Theory]
    [InlineData("shop.events", "position = position + 1000", "position = position - 1000", "positions are not 1..n")]
    [InlineData("shop.events", "previous = previous + 1", "previous = previous - 1", "previous is wrong")]
    [InlineData("shop.events", "version = version + 1", "version = version - 1", "version is wrong")]
    [InlineData("shop.log_positions", "position = position - 1", "position = position + 1", "log position is wrong")]
    public async Task A_faulty_log_is_found(string table, string plant, string undo, string seen) =>
        await FoundAsync(State.LogIsWholeAsync, table, plant, undo, seen);

    [Theory]
    [InlineData("shop.products", "stock = stock + 1", "stock = stock - 1", "its last event says")]
    [InlineData(
        "shop.events", "aggregate_id = aggregate_id + 100000",
        "aggregate_id = aggregate_id - 100000", "has no row")]
    public async Task A_change_without_its_event_is_found(string table, string plant, string undo, string seen) =>
        await FoundAsync(State.LogEqualsTablesAsync, table, plant, undo, seen);

    private async Task FoundAsync(Func<Task> check, string table, string plant, string undo, string seen)
    {
        // Only documents that are not deleted; other tables do not have this column.
        var row = await State.Database.ScalarAsync<string>(
            $"SELECT ctid::text FROM {table} t WHERE coalesce((to_jsonb(t)->>'is_deleted')::boolean, false) = "
            + "false LIMIT 1");
        var changed =
            await State.Database.RowsAsync($"UPDATE {table} SET {plant} WHERE ctid = '{row}' RETURNING ctid::text");
        try
        {
            (await Assert.ThrowsAnyAsync<Exception>(check)).Message.ShouldContain(seen);
        }
        finally
        {
            await State.Database.RowsAsync($"UPDATE {table} SET {undo} WHERE ctid = '{changed[0]}'");
        }
    }
}
