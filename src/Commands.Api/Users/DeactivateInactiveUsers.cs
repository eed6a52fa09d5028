using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// PATCH /users/bulk-deactivate-inactive?inactiveDays=: deactivates, in one transaction, the users whose last order and
/// last login (or creation, if they never logged in) are more than 1 to 36,500 days ago.
/// </summary>
internal static class DeactivateInactiveUsers
{
    internal sealed record Command(int InactiveDays) : IRequest<Result<ChangedRows>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPatch("/bulk-deactivate-inactive", Handle)
            .WithName(nameof(DeactivateInactiveUsers)).WithRequestTimeout(RequestTime.Long);

    private static async Task<Results<Ok<ChangedRows>, ProblemHttpResult>> Handle(
        [Range(1, 36_500)] int inactiveDays, IMediator mediator, CancellationToken ct) =>
        Answers.Done(await mediator.Send(new Command(inactiveDays), ct));

    internal sealed class Handler(ShopDbContext db, ChunkedChange changes, TimeProvider clock)
        : IRequestHandler<Command, Result<ChangedRows>>
    {
        public async Task<Result<ChangedRows>> Handle(Command command, CancellationToken ct)
        {
            var cutoff = clock.GetUtcMicroseconds().AddDays(-command.InactiveDays);
            await using var transaction = await db.BeginAsync(ct);
            var changed = await changes.ChangeAsync(
                Resource.Users.Name,
                chunk =>
                    $"""
                    UPDATE shop.users AS u SET is_active = false, version = u.version + 1
                    WHERE u.id = ANY (ARRAY(
                        SELECT id FROM shop.users AS idle
                        WHERE is_active AND coalesce(last_login_date, created_date) < {cutoff} AND id > {chunk.After}
                            AND NOT EXISTS (
                                SELECT FROM shop.orders WHERE user_id = idle.id AND order_date >= {cutoff})
                        ORDER BY id LIMIT {chunk.Rows} FOR NO KEY UPDATE))
                    RETURNING u.id, u.version, shop.user_state(u), {EventTypes.UserDeactivated}
                    """,
                ct);
            await transaction.CommitAsync(ct);
            return new ChangedRows(changed);
        }
    }
}
