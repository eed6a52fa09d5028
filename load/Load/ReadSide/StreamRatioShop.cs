using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Operations.Seeding;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Products;
using ApexShop.Events;
using ApexShop.ReadModels;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// The seeded shop's products in both schemas of one database, with Queries.Api on one schema and the control on
/// the other, each in its own process; disposing removes all of it.
/// </summary>
internal sealed class StreamRatioShop : IAsyncDisposable
{
    private const string Path = "/products/stream";

    private const string FillSql =
        """
        WITH filled AS (
            INSERT INTO read.products
                (id, version, revision, name, category_id, price, stock, is_active, is_featured, rating, created_date,
                    data, body)
            SELECT id, version, id, name, category_id, price, stock, is_active, is_featured, 0, created_date,
                convert_from(body, 'UTF8')::jsonb, body
            FROM shop.products JOIN unnest($1) WITH ORDINALITY AS given (body, id) USING (id) ORDER BY id
            RETURNING id
        )
        INSERT INTO read.segments SELECT 'products', id / 500, 1, count(*) FROM filled GROUP BY 2
        """;

    private readonly TestDatabase database;
    private readonly ShopProcess queries;
    private readonly StreamRatioControl control;
    private readonly StreamRatioClient client = new();
    private int active;

    private StreamRatioShop(TestDatabase database)
    {
        this.database = database;
        queries = StreamRatioQueries.Over(database);
        control = new StreamRatioControl(database);
    }

    public static async Task<StreamRatioShop> StartAsync(CancellationToken ct)
    {
        var shop = new StreamRatioShop(await TestDatabase.CreateAsync("bench_streams", ShopPrograms.MigrateAsync));
        try
        {
            await shop.FillAsync(ct);
            await shop.queries.StartAsync();
            await shop.control.StartAsync();
            return shop;
        }
        catch
        {
            await shop.DisposeAsync();
            throw;
        }
    }

    public Task<double> CopyAsync(string condition, CancellationToken ct) =>
        StreamRatioCopy.TimeAsync(
            database.Queries, $"SELECT body FROM read.products WHERE {condition} ORDER BY id", ct);

    public Task<double> EfCoreAsync(CancellationToken ct) =>
        client.TimeAsync(new Uri(control.Url, StreamRatioControl.Path), "application/json", ShopFaker.ProductCount, ct);

    /// <summary>The stream of the active products, which is filtered and therefore read by rows.</summary>
    public Task<double> StreamActiveAsync(string mediaType, CancellationToken ct, string? coding = null) =>
        client.TimeAsync(new Uri(queries.Url, $"{Path}?isActive=true"), mediaType, active, ct, coding);

    /// <summary>The whole collection after this many evenly spread segments got a new version.</summary>
    public async Task<double> StreamAsync(string mediaType, string? coding, int changed, CancellationToken ct)
    {
        var url = new Uri(queries.Url, Path);
        await client.TimeAsync(url, mediaType, ShopFaker.ProductCount, ct, coding);
        if (changed > 0) await ExecuteAsync(
            $"""
            UPDATE {ReadTables.Segments} SET version = version + 1 WHERE kind = 'products' AND segment IN
                (SELECT segment FROM {ReadTables.Segments} WHERE kind = 'products' ORDER BY segment * 7 % 31
                    LIMIT {changed})
            """,
            ct);
        return await client.TimeAsync(url, mediaType, ShopFaker.ProductCount, ct, coding);
    }

    public async ValueTask DisposeAsync()
    {
        await queries.DisposeAsync();
        control.Dispose();
        await database.DisposeAsync();
    }

    private async Task FillAsync(CancellationToken ct)
    {
        var shop = new ShopFaker(0);
        int[] categories = [.. Enumerable.Range(1, shop.Categories.Length)];
        var products = shop.Products.Select((product, index) => product.ToState(index + 1, categories)).ToList();
        active = products.Count(product => product.IsActive);
        await using (var connection = new NpgsqlConnection(database.Commands))
        {
            await connection.OpenAsync(ct);
            using var copy = new CopyWriter(connection, TimeProvider.System);
            await copy.WriteRowsAsync(
                CategoryRows.Table, shop.Categories.Select((category, index) => category.ToState(index + 1)), ct);
            await copy.WriteRowsAsync(ProductRows.Table, products, ct);
        }

        byte[][] bodies = [.. products.Select(product => Body(product, shop.Categories[product.CategoryId - 1].Name))];
        await ExecuteAsync(FillSql, ct, bodies);
        await ExecuteAsync("VACUUM ANALYZE", ct);
    }

    private static byte[] Body(ProductState product, string category) =>
        System.Text.Json.JsonSerializer.SerializeToUtf8Bytes(
        new ProductView(
            product.Id, product.Name, product.Description, product.Price, product.Stock, product.IsActive,
            product.IsFeatured,
            product.CreatedDate, product.UpdatedDate, new Reference(product.CategoryId, category), new Rating(0, 0),
            product.Version, product.Sku, product.Slug, Currency: "USD"),
        ReadModelJson.Wire.ProductView);

    private async Task ExecuteAsync(string sql, CancellationToken ct, byte[][]? bodies = null)
    {
        await using var connection = new NpgsqlConnection(database.Superuser);
        await connection.OpenAsync(ct);
        await using var command = new NpgsqlCommand(sql, connection) { CommandTimeout = 300 };
        if (bodies is not null) command.Parameters.Add(new NpgsqlParameter<byte[][]> { TypedValue = bodies });
        await command.ExecuteNonQueryAsync(ct);
    }
}
