using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Products;

/// <summary>POST /products/bulk: creates all the products of a list or none.</summary>
internal static class BulkCreateProducts
{
    internal sealed record Command(IReadOnlyList<ProductInput.Body> Items) : IRequest<Result<BulkCreated>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapPost("/bulk", Handle).WithName(nameof(BulkCreateProducts));

    private static async Task<Results<Created<BulkCreated>, ProblemHttpResult>> Handle(
        BulkItems<ProductInput.Body> body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.BulkCreated(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, BulkInsert insert, TimeProvider clock)
        : IRequestHandler<Command, Result<BulkCreated>>
    {
        public async Task<Result<BulkCreated>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var categories = command.Items.Column(item => item.CategoryId!.Value);
            if (await ProductCategories.LockAsync(db, categories, 0, ct) is { } problem) return problem;
            var keys = command.Items.Column(item => (item.Sku, item.Slug));
            if (await UniqueKeyCheck.RunAsync(db, keys, [], 0, ct) is { } taken) return taken;

            var now = clock.GetUtcMicroseconds();
            var created = await insert.WriteAsync(
                ProductRows.Table, command.Items, (body, id) => Product.New(body, now, id).Created(), ct);
            await transaction.CommitAsync();
            return created;
        }
    }
}
