using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// PUT /users/bulk: replaces all the users of a list or none; without a password the old one is kept.
/// </summary>
internal static class BulkUpdateUsers
{
    internal sealed record Command(IReadOnlyList<UserInput.Item> Items) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateUsers))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status412PreconditionFailed)
            .WithRequestTimeout(RequestTime.Long);

    private static async Task<Results<Ok<BulkReplaced>, ProblemHttpResult>> Handle(
        BulkItems<UserInput.Item> body, IMediator mediator, CancellationToken ct) =>
        Answers.BulkReplaced(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, ListPasswordHasher passwords)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            // Takes seconds, so it runs before any row is locked.
            var hashes = await passwords.HashAllAsync(command.Items, ct);
            await using var transaction = await db.BeginAsync(ct);
            var replaced = await db.LockReplacedAsync("user", Resource.Users.Name, command.Items, ct);
            if (replaced.Problem is not null) return replaced;
            if (await UniqueEmailCheck.RunAsync(db, command.Items, command.Items.Ids(), ct) is { } taken) return taken;

            await outbox.ChangeAsync(Resource.Users.Name, Update(command.Items, hashes), ct);
            await transaction.CommitAsync(ct);
            return replaced;
        }

        private static FormattableString Update(IReadOnlyList<UserInput.Item> items, string?[] hashes) =>
            $"""
            UPDATE shop.users AS u
            SET email = item.email, first_name = item.first_name, last_name = item.last_name,
                phone_number = item.phone_number, is_active = item.is_active, version = u.version + 1,
                password_hash = coalesce(item.password_hash, u.password_hash)
            FROM unnest({items.Ids()}, {items.Column(item => item.Email)}, {items.Column(item => item.FirstName)},
                {items.Column(item => item.LastName)}, {items.Column(item => item.PhoneNumber)},
                {items.Column(item => item.IsActive)}, {hashes})
                AS item (id, email, first_name, last_name, phone_number, is_active, password_hash)
            JOIN shop.users AS before ON before.id = item.id
            WHERE u.id = item.id
            RETURNING u.id, u.version, shop.user_state(u),
                CASE WHEN before.is_active AND NOT u.is_active
                    THEN {EventTypes.UserDeactivated} ELSE {EventTypes.UserUpdated} END
            """;
    }
}
