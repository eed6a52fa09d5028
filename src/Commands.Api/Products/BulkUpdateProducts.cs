using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using MediatR;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// PUT /products/bulk: replaces the products of a list of up to 256 MiB. Each chunk of the list is a transaction that
/// starts when the chunk has arrived, and a line of the NDJSON response; the last line contains the number of updated
/// products. An id may occur once in a chunk; a product that occurs again in a later chunk is replaced again.
/// An item without a stock keeps the current one; a stock that differs from it needs the item's version. An item with
/// the current values changes nothing.
/// </summary>
internal static class BulkUpdateProducts
{
    internal sealed record Command(IReadOnlyList<ProductInput.Item> Items, int First) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateProducts)).DisableRequestTimeout()
            .WithMetadata(new NdJsonMetadata(typeof(ChunkDone), typeof(ChunkRefused), typeof(ChunkSummary)));

    private static Task Handle(
        BulkStream<ProductInput.Item> body, ChunkRunner runner, HttpContext http, CancellationToken ct) =>
        runner.RunAsync(body, chunk => new Command(chunk.Items, chunk.First), http, ct);

    internal sealed class Handler(ShopDbContext db, BulkReplacement replacement, TimeProvider clock)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            var (items, first) = command;
            await using var transaction = await db.BeginAsync(ct);
            var locked = await replacement.LockAsync<Product, ProductInput.Item>(items, ct, first);
            if (locked.Value is not { } current) return locked.Problem!;
            var categories = items.Column(item => item.CategoryId!.Value);
            if (await ProductCategories.LockAsync(db, categories, first, ct) is { } unknown) return unknown;
            if (StockVersion.Required(items, current, first) is { } refused) return refused;
            var keys = items.Column(item => (item.Sku, item.Slug));
            if (await UniqueKeyCheck.RunAsync(db, keys, items.Ids(), first, ct) is { } taken) return taken;

            // Under the locks, so that a later version never has an earlier time.
            var now = clock.GetUtcMicroseconds();
            var replaced = await replacement.WriteAsync(
                items, current, (product, item) => product.Replace(item, now), Update, ct);
            await transaction.CommitAsync();
            return replaced;
        }

        private static FormattableString Update(IReadOnlyList<Product> products) =>
            $"""
            UPDATE shop.products AS p
            SET name = item.name, description = item.description, price = item.price, stock = item.stock,
                is_active = item.is_active, is_featured = item.is_featured, category_id = item.category_id,
                sku = item.sku, slug = item.slug, images = item.images::json, version = p.version + 1,
                updated_date = {products[0].UpdatedDate!.Value}
            FROM unnest({products.Column(p => p.Id)}, {products.Column(p => p.Name)},
                {products.Column(p => p.Description)}, {products.Column(p => p.Price)},
                {products.Column(p => p.Stock)}, {products.Column(p => p.IsActive)},
                {products.Column(p => p.IsFeatured)}, {products.Column(p => p.CategoryId)},
                {products.Column(p => p.Sku)}, {products.Column(p => p.Slug)},
                {products.Column(p => ProductImages.Write(p.Images))})
                AS item (id, name, description, price, stock, is_active, is_featured, category_id, sku, slug, images)
            WHERE p.id = item.id
            RETURNING p.id, p.version, shop.product_state(p), {EventTypes.ProductUpdated}
            """;
    }
}
