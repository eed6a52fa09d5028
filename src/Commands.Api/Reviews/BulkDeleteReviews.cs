using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>DELETE /reviews/bulk: deletes reviews.</summary>
internal static class BulkDeleteReviews
{
    internal sealed record Command(IReadOnlyList<int> Ids) : IRequest<Result<RemovedRows>>;

    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapDelete("/bulk", Handle).WithName(nameof(BulkDeleteReviews));

    private static async Task<Results<Ok<RemovedRows>, ProblemHttpResult>> Handle(
        BulkItems<int> ids, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Done(await mediator.Send(new Command(ids.Items), ct));

    internal sealed class Handler(ShopDbContext db, ChunkedDeletion deletion)
        : IRequestHandler<Command, Result<RemovedRows>>
    {
        public async Task<Result<RemovedRows>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var found = await db.LockForUpdateAsync(Resource.Reviews.Name, command.Ids, ct);
            var removed = await deletion.DeleteListAsync(
                EventTypes.ReviewDeleted, Resource.Reviews.Name, command.Ids, found, ct);
            await transaction.CommitAsync();
            return removed;
        }
    }
}
