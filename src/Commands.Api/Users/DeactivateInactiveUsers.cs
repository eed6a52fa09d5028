using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// PATCH /users/bulk-deactivate-inactive?inactiveDays=: deactivates the users whose last login, or creation when they never
/// logged in, is more than 1 to 36,500 days ago; all of them or, when it fails, none.
/// </summary>
internal static class DeactivateInactiveUsers
{
    internal sealed record Command(int InactiveDays) : IRequest<Result<ChangedRows>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPatch("/bulk-deactivate-inactive", Handle).WithName(nameof(DeactivateInactiveUsers)).WithRequestTimeout(RequestTime.Long);

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
                EventTypes.UserDeactivated,
                Resource.Users.Name,
                chunk =>
                    $"""
                    UPDATE shop.users AS u SET is_active = false, version = u.version + 1
                    WHERE u.id = ANY (ARRAY(
                        SELECT id FROM shop.users
                        WHERE is_active AND coalesce(last_login_date, created_date) < {cutoff} AND id > {chunk.After}
                        ORDER BY id LIMIT {chunk.Rows} FOR NO KEY UPDATE))
                    RETURNING u.id, u.version, shop.user_state(u)
                    """,
                ct);
            await transaction.CommitAsync(ct);
            return new ChangedRows(changed);
        }
    }
}
