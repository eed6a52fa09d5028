using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Users;

/// <summary>DELETE /users/bulk: deletes users and their reviews; none, if one of the users has orders.</summary>
internal static class BulkDeleteUsers
{
    internal sealed record Command(IReadOnlyList<int> Ids) : IRequest<Result<RemovedRows>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapDelete("/bulk", Handle).WithName(nameof(BulkDeleteUsers));

    private static async Task<Results<Ok<RemovedRows>, ProblemHttpResult>> Handle(
        BulkItems<int> ids, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Done(await mediator.Send(new Command(ids.Items), ct));

    internal sealed class Handler(ShopDbContext db, ChunkedDeletion deletion, ReviewDeletion reviews)
        : IRequestHandler<Command, Result<RemovedRows>>
    {
        public async Task<Result<RemovedRows>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var found = await db.LockForUpdateAsync(Resource.Users.Name, command.Ids, ct);
            if (await db.ReferencesAsync("orders", "id", "user_id", found, ct) is [_, ..] customers)
                return Problem.ReferencedBy(
                    "user.has_orders",
                    "Some of the users have orders; none was deleted.",
                    Resource.Orders.Name,
                    customers);

            await reviews.DeleteOfUsersAsync(found, ct);
            var removed = await deletion.DeleteListAsync(
                EventTypes.UserDeleted, Resource.Users.Name, command.Ids, found, ct);
            await transaction.CommitAsync();
            return removed;
        }
    }
}
