using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>DELETE /users/{id}: deletes a user without orders, and the user's reviews.</summary>
internal static class DeleteUser
{
    internal sealed record Command(int Id, ExpectedVersion? IfMatch) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapDelete("/{id:int}", Handle).WithName(nameof(DeleteUser));

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(
        int id, [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Deleted(await mediator.Send(new Command(id, ifMatch), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, ReviewDeletion reviews)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Users.ForUpdate(command.Id).SingleOrDefaultAsync(ct) is not { } user)
                return Problem.NotFound("user", command.Id);
            if (command.IfMatch?.Allows(user.Version) is false) return Problem.VersionMismatch(user.Version);

            var orders = await db.ReferencesAsync("orders", "id", "user_id", user.Id, ct);
            if (orders.Count > 0)
                return Problem.ReferencedBy(
                    "user.has_orders", $"User {user.Id} has orders.", Resource.Orders.Name, orders);

            await reviews.DeleteOfUsersAsync([user.Id], ct);
            outbox.Add(user.Deleted());
            db.Users.Remove(user);
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(user.Id, user.Version);
        }
    }
}
