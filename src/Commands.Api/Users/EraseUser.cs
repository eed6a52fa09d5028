using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// POST /users/{id}/erase: removes the person and keeps the orders and reviews. The user, the addresses and tracking
/// numbers of the orders, and all their events in the log get placeholders. A deleted user is removed from the log. An
/// erasure that was interrupted is sent again; one that is complete changes nothing. Once orders are erased, another
/// version does not refuse it any more.
/// </summary>
internal static class EraseUser
{
    internal sealed record Command(int Id, ExpectedVersion? IfMatch) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPost("/{id:int}/erase", Handle).WithName(nameof(EraseUser)).WithRequestTimeout(RequestTimeLimits.Long);

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(
        int id, [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Deleted(await mediator.Send(new Command(id, ifMatch), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, OrderErasure orders, LogErasure log)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            // Before any change; the user's transaction checks it again.
            var known = await db.Users.AsNoTracking().SingleOrDefaultAsync(user => user.Id == command.Id, ct);
            if (await RefusalAsync(known, command, ct) is { } refused) return refused;
            var expected = command;
            while (true)
            {
                var isBegun = await orders.EraseClosedAsync(command.Id, ct);
                // The version is not compared after a commit: the erasure has begun.
                if (isBegun && db.Database.CurrentTransaction is null) expected = command with { IfMatch = null };
                if (await EraseUserAsync(expected, ct) is { } result) return result;
                // The user has got another order, or an order another address; the next attempt reads all again. With
                // an Idempotency-Key it would be in the same transaction, which has locked the user: orders come first.
                if (db.Database.CurrentTransaction is not null) return ConstraintProblems.Overtaken;
                db.ChangeTracker.Clear();
            }
        }

        // Last, so that a user without the person has no order and no event with it. No order can be placed until the
        // commit. Null when an order is to be erased before.
        private async Task<Result<Saved>?> EraseUserAsync(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var user = await db.Users.ForUpdate(command.Id).SingleOrDefaultAsync(ct);
            if (await RefusalAsync(user, command, ct) is { } refused) return refused;
            if (await orders.AnyLeftAsync(command.Id, ct)) return null;

            await orders.EraseDeletedAsync(command.Id, ct);
            await log.EraseAsync(Resource.Users.Name, [command.Id], ct);
            if (user is null) await log.RecordAsync(command.Id, ct);
            else outbox.Add(user, user.Erase());
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(command.Id, user?.Version ?? 0);
        }

        private async Task<Problem?> RefusalAsync(User? user, Command command, CancellationToken ct)
        {
            if (user is null)
            {
                var isInLog = await log.ContainsAsync(Resource.Users.Name, command.Id, ct);
                return isInLog ? null : Problem.NotFound("user", command.Id);
            }

            if (command.IfMatch?.Allows(user.Version) is false) return Problem.VersionMismatch(user.Version);
            var open = await orders.OpenAsync(user.Id, ct);
            return open.Count == 0 ? null : Problem.ReferencedBy("user.has_open_orders",
                $"User {user.Id} has orders that are neither delivered nor cancelled.", Resource.Orders.Name, open);
        }
    }
}
