using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// PUT /users/bulk: replaces all the users of a list or none; without a password the old one is kept. An item with the
/// current values and without a password changes nothing.
/// </summary>
internal static class BulkUpdateUsers
{
    internal sealed record Command(IReadOnlyList<UserInput.Item> Items) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateUsers))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status412PreconditionFailed)
            .WithRequestTimeout(RequestTimeLimits.Long);

    private static async Task<Results<Ok<BulkReplaced>, ProblemHttpResult>> Handle(
        BulkItems<UserInput.Item> body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.BulkReplaced(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, BulkReplacement replacement, ListPasswordHasher passwords)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            var items = command.Items;
            // Hashing takes seconds: no row is locked meanwhile, and a list that is refused has none.
            if (items.Any(item => item.Password is not null) && await FindProblemAsync(items, ct) is { } early)
                return early;
            var hashes = items.Ids().Zip(await passwords.HashAllAsync(items, ct)).ToDictionary();
            await using var transaction = await db.BeginAsync(ct);
            var (current, problem) = await LockAsync(items, ct);
            if (current is null) return problem!;

            var replaced = await replacement.WriteAsync(
                items, current, (user, item) => user.Replace(item, hashes[user.Id]), Update, ct);
            await transaction.CommitAsync();
            return replaced;
        }

        private async Task<Problem?> FindProblemAsync(IReadOnlyList<UserInput.Item> items, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            return (await LockAsync(items, ct)).Problem;
        }

        private async Task<Result<Dictionary<int, User>>> LockAsync(
            IReadOnlyList<UserInput.Item> items, CancellationToken ct)
        {
            var locked = await replacement.LockAsync<User, UserInput.Item>(items, ct);
            if (locked.Value is not { } current) return locked;
            if (ErasedPerson.FindRefusal(items, current) is { } erased) return erased;
            return await UniqueEmailCheck.RunAsync(db, items, items.Ids(), ct) is { } taken ? taken : current;
        }

        private static FormattableString Update(IReadOnlyList<User> users) =>
            $"""
            UPDATE shop.users AS u
            SET email = item.email, first_name = item.first_name, last_name = item.last_name,
                phone_number = item.phone_number, is_active = item.is_active, password_hash = item.password_hash,
                version = u.version + 1
            FROM unnest({users.Column(u => u.Id)}, {users.Column(u => u.Email)}, {users.Column(u => u.FirstName)},
                {users.Column(u => u.LastName)}, {users.Column(u => u.PhoneNumber)}, {users.Column(u => u.IsActive)},
                {users.Column(u => u.PasswordHash)})
                AS item (id, email, first_name, last_name, phone_number, is_active, password_hash)
            JOIN shop.users AS before ON before.id = item.id
            WHERE u.id = item.id
            RETURNING u.id, u.version, shop.user_state(u),
                CASE WHEN before.is_active AND NOT u.is_active
                    THEN {EventTypes.UserDeactivated} ELSE {EventTypes.UserUpdated} END
            """;
    }
}
