using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// PUT /products/bulk: replaces the products of a list of any length. Each chunk of the list is a transaction that
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
            .WithMetadata(new NdJsonMetadata(typeof(ChunkDone), typeof(ChunkRefused), typeof(AllDone)));

    private static Task Handle(
        BulkStream<ProductInput.Item> body, ChunkRunner runner, HttpContext http, CancellationToken ct) =>
        runner.RunAsync(body, chunk => new Command(chunk.Items, chunk.First), http, ct);

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            var (items, first) = command;
            await using var transaction = await db.BeginAsync(ct);
            var replaced = await db.LockReplacedAsync("product", Resource.Products.Name, items, ct, first);
            if (replaced.Problem is not null) return replaced;
            var categories = items.Column(item => item.CategoryId!.Value);
            if (await ProductCategories.LockAsync(db, categories, first, ct) is { } unknown) return unknown;

            var ids = items.Ids();
            var current = await db.Products.AsNoTracking()
                .Where(product => ids.Contains(product.Id)).ToDictionaryAsync(product => product.Id, ct);
            if (StockVersion.Required(items, current, first) is { } refused) return refused;

            await ChangeAsync([.. items.Where(item => current[item.Id!.Value].DiffersFrom(item))], current, ct);
            await transaction.CommitAsync(ct);
            return new BulkReplaced(items.Count, [.. items.Select(item => SavedAs(item, current[item.Id!.Value]))]);
        }

        private async Task ChangeAsync(
            IReadOnlyList<ProductInput.Item> items, Dictionary<int, Product> current, CancellationToken ct)
        {
            if (items.Count > 0)
            {
                await outbox.ChangeAsync(Resource.Products.Name, Update(items, current), ct);
                return;
            }

            // The list was perhaps executed before: then the last of its events was that of the largest id.
            var last = current.Values.MaxBy(product => product.Id)!;
            outbox.RecordChange(Resource.Products.Name, last.Id, last.Version);
        }

        private static Saved SavedAs(ProductInput.Item item, Product before) =>
            new(before.Id, before.Version + (before.DiffersFrom(item) ? 1 : 0));

        private FormattableString Update(
            IReadOnlyList<ProductInput.Item> items, Dictionary<int, Product> current) =>
            $"""
            UPDATE shop.products AS p
            SET name = item.name, description = item.description, price = item.price, stock = item.stock,
                is_active = item.is_active, is_featured = item.is_featured, category_id = item.category_id,
                version = p.version + 1, updated_date = {clock.GetUtcMicroseconds()}
            FROM unnest({items.Ids()}, {items.Column(item => item.Name)}, {items.Column(item => item.Description)},
                {items.Column(item => item.Price!.Value)},
                {items.Column(item => item.Stock ?? current[item.Id!.Value].Stock)},
                {items.Column(item => item.IsActive)}, {items.Column(item => item.IsFeatured)},
                {items.Column(item => item.CategoryId!.Value)})
                AS item (id, name, description, price, stock, is_active, is_featured, category_id)
            WHERE p.id = item.id
            RETURNING p.id, p.version, shop.product_state(p), {EventTypes.ProductUpdated}
            """;
    }
}
