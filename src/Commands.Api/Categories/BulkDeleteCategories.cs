using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Categories;

/// <summary>DELETE /categories/bulk: deletes categories; none, if one of them has products.</summary>
internal static class BulkDeleteCategories
{
    internal sealed record Command(IReadOnlyList<int> Ids) : IRequest<Result<RemovedRows>>;

    public static void Map(RouteGroupBuilder categories) =>
        categories.MapDelete("/bulk", Handle).WithName(nameof(BulkDeleteCategories));

    private static async Task<Results<Ok<RemovedRows>, ProblemHttpResult>> Handle(
        BulkItems<int> ids, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Done(await mediator.Send(new Command(ids.Items), ct));

    internal sealed class Handler(ShopDbContext db, ChunkedDeletion deletion)
        : IRequestHandler<Command, Result<RemovedRows>>
    {
        public async Task<Result<RemovedRows>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var found = await db.LockForUpdateAsync(Resource.Categories.Name, command.Ids, ct);
            if (await db.ReferencesAsync("products", "id", "category_id", found, ct) is [_, ..] filled)
                return Problem.ReferencedBy(
                    "category.has_products",
                    "Some of the categories have products; none was deleted.",
                    Resource.Products.Name,
                    filled);

            var removed = await deletion.DeleteListAsync(
                EventTypes.CategoryDeleted, Resource.Categories.Name, command.Ids, found, ct);
            await transaction.CommitAsync();
            return removed;
        }
    }
}
