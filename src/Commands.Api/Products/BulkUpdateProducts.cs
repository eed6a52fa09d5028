using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using MediatR;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// PUT /products/bulk: replaces the products of a list of any length. It is done chunk by chunk while the list arrives,
/// each chunk whole or not at all, and answered by an NDJSON line each; a last line tells how many products were updated.
/// An id stands once in a chunk; a product that comes again in a later one is replaced again.
/// </summary>
internal static class BulkUpdateProducts
{
    internal sealed record Command(IReadOnlyList<ProductInput.Item> Items, int First) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateProducts)).DisableRequestTimeout()
            .WithMetadata(new StreamOf(typeof(ChunkDone), typeof(ChunkRefused), typeof(AllDone)));

    private static Task Handle(BulkStream<ProductInput.Item> body, ChunkRunner runner, HttpContext http, CancellationToken ct) =>
        runner.RunAsync(body, chunk => new Command(chunk.Items, chunk.First), http, ct);

    internal sealed class Handler(ShopDbContext db, ProductReplacement replacement)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            var (items, first) = command;
            await using var transaction = await db.BeginAsync(ct);
            var versions = await replacement.LockAsync(Replacements.Ids(items), ct);
            if (Replacements.Check("product", items, versions, first) is { } problem) return problem;
            if (await ProductCategories.HoldAsync(db, items, first, ct) is { } unknown) return unknown;

            await replacement.WriteAsync(items, ct);
            await transaction.CommitAsync(ct);
            return new BulkReplaced(items.Count, [.. items.Select(item => new Saved(item.Id!.Value, versions[item.Id.Value] + 1))]);
        }
    }
}
