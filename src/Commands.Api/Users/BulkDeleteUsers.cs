using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Users;

/// <summary>DELETE /users/bulk: takes their reviews with them, all or nothing; a user with orders keeps them all.</summary>
internal static class BulkDeleteUsers
{
    internal sealed record Command(IReadOnlyList<int> Ids) : IRequest<Result<RemovedRows>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapDelete("/bulk", Handle).WithName(nameof(BulkDeleteUsers));

    private static async Task<Results<Ok<RemovedRows>, ProblemHttpResult>> Handle(
        BulkItems<int> ids, IMediator mediator, CancellationToken ct) =>
        Answers.Done(await mediator.Send(new Command(ids.Items), ct));

    internal sealed class Handler(ShopDbContext db, ChunkedChange changes, ReviewRemoval reviews)
        : IRequestHandler<Command, Result<RemovedRows>>
    {
        public async Task<Result<RemovedRows>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var found = await db.LockAsync(Resource.Users.Name, command.Ids, ct);
            if (await db.ReferrersAsync("orders", "id", "user_id", found, ct) is [_, ..] customers)
                return Problem.InTheWay("user.has_orders", "Some of the users have orders; none was deleted.", Resource.Orders.Name, customers);

            await reviews.DeleteOfUsersAsync(found, ct);
            await changes.DeleteAsync(EventTypes.UserDeleted, Resource.Users.Name, found, ct);
            await transaction.CommitAsync(ct);
            return RemovedRows.Of(command.Ids, found);
        }
    }
}
