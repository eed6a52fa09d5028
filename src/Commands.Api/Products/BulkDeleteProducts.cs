using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Products;

/// <summary>DELETE /products/bulk: deletes products and their reviews; none, if one of the products was sold.</summary>
internal static class BulkDeleteProducts
{
    internal sealed record Command(IReadOnlyList<int> Ids) : IRequest<Result<RemovedRows>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapDelete("/bulk", Handle).WithName(nameof(BulkDeleteProducts));

    private static async Task<Results<Ok<RemovedRows>, ProblemHttpResult>> Handle(
        BulkItems<int> ids, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Done(await mediator.Send(new Command(ids.Items), ct));

    internal sealed class Handler(ShopDbContext db, ChunkedDeletion deletion, ReviewDeletion reviews)
        : IRequestHandler<Command, Result<RemovedRows>>
    {
        public async Task<Result<RemovedRows>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var found = await db.LockForUpdateAsync(Resource.Products.Name, command.Ids, ct);
            if (await db.ReferencesAsync("order_items", "order_id", "product_id", found, ct) is [_, ..] sold)
                return Problem.ReferencedBy(
                    "product.sold", "Some of the products were sold; none was deleted.", Resource.Orders.Name, sold);

            await reviews.DeleteOfProductsAsync(found, ct);
            var removed = await deletion.DeleteListAsync(
                EventTypes.ProductDeleted, Resource.Products.Name, command.Ids, found, ct);
            await transaction.CommitAsync();
            return removed;
        }
    }
}
