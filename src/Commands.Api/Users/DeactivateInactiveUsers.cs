using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// PATCH /users/bulk-deactivate-inactive?inactiveDays=: deactivates the users whose last order and last login (or
/// creation, if they never logged in) are more than 1 to 36,500 days ago. Orders that were deleted do not count. Each
/// chunk is a transaction: after an interruption the next request deactivates the rest. With an Idempotency-Key all are
/// one transaction.
/// </summary>
internal static class DeactivateInactiveUsers
{
    internal sealed record Command(int InactiveDays) : IRequest<Result<ChangedRows>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPatch("/bulk-deactivate-inactive", Handle)
            .WithName(nameof(DeactivateInactiveUsers)).WithRequestTimeout(RequestTimeLimits.Long);

    private static async Task<Results<Ok<ChangedRows>, ProblemHttpResult>> Handle(
        [Range(1, 36_500)] int inactiveDays, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Done(await mediator.Send(new Command(inactiveDays), ct));

    internal sealed class Handler(
        ShopDbContext db, EventOutbox outbox, IOptions<LimitOptions> limits, TimeProvider clock)
        : IRequestHandler<Command, Result<ChangedRows>>
    {
        public async Task<Result<ChangedRows>> Handle(Command command, CancellationToken ct)
        {
            var cutoff = clock.GetUtcMicroseconds().AddDays(-command.InactiveDays);
            var (changed, last, isFull) = (0, 0, true);
            while (isFull)
            {
                // With a key it joins the transaction that also stores the response.
                await using var transaction = await db.BeginAsync(ct);
                var chunk = await LockAsync(cutoff, last, ct);
                changed += await DeactivateAsync(chunk, cutoff, ct);
                await transaction.CommitAsync();
                (last, isFull) = (chunk.LastOrDefault(), chunk.Length == limits.Value.ChunkRows);
            }

            return new ChangedRows(changed);
        }

        private Task<int[]> LockAsync(DateTimeOffset cutoff, int after, CancellationToken ct) =>
            db.Database.SqlQuery<int>(
                $"""
                SELECT id FROM shop.users AS idle
                WHERE is_active AND coalesce(last_login_date, created_date) < {cutoff} AND id > {after}
                    AND NOT EXISTS (SELECT FROM shop.orders WHERE user_id = idle.id AND order_date >= {cutoff})
                ORDER BY id LIMIT {limits.Value.ChunkRows} FOR NO KEY UPDATE
                """).ToArrayAsync(ct);

        // The orders are compared again, now that the users cannot order: an order that held the lock was committed
        // after the first statement began, which therefore did not see it.
        private async Task<int> DeactivateAsync(int[] ids, DateTimeOffset cutoff, CancellationToken ct)
        {
            var result = await outbox.ChangeAsync(
                Resource.Users.Name,
                $"""
                UPDATE shop.users AS u SET is_active = false, version = u.version + 1
                WHERE u.id = ANY ({ids})
                    AND NOT EXISTS (SELECT FROM shop.orders WHERE user_id = u.id AND order_date >= {cutoff})
                RETURNING u.id, u.version, shop.user_state(u), {EventTypes.UserDeactivated}
                """,
                ct);
            return result.Changed;
        }
    }
}
