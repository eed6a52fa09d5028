using System.Text.Json.Serialization;
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
    internal sealed record Command(IReadOnlyList<UserInput.Item> Items) : IRequest<Result<BulkReplaced>>
    {
        [JsonIgnore]
        public Result<string?[]>? PasswordHashes { get; set; }
    }

    public static void Map(RouteGroupBuilder users) =>
        users.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateUsers))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status412PreconditionFailed)
            .WithRequestTimeout(RequestTimeLimits.Long);

    private static async Task<Results<Ok<BulkReplaced>, ProblemHttpResult>> Handle(
        BulkItems<UserInput.Item> body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.BulkReplaced(await mediator.Send(new Command(body.Items), ct));

    // A list that would be refused has no password hashed, and no row is locked meanwhile.
    internal sealed class Preparation(UserListLock users, ListPasswordHasher passwords) : ICommandPreparation<Command>
    {
        public bool IsDone(Command request) => request.PasswordHashes is not null;

        public async Task PrepareAsync(Command request, CancellationToken ct)
        {
            var isNeeded = request.Items.Any(item => item.Password is not null);
            request.PasswordHashes = isNeeded && await users.FindProblemAsync(request.Items, ct) is { } problem
                ? problem
                : await passwords.HashAllAsync(request.Items, ct);
        }
    }

    internal sealed class Handler(ShopDbContext db, UserListLock users, BulkReplacement replacement)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            var (items, prepared) = (command.Items, command.PasswordHashes!);
            if (prepared.Value is not { } passwords) return prepared.Problem!;

            var hashes = items.Ids().Zip(passwords).ToDictionary();
            await using var transaction = await db.BeginAsync(ct);
            var (current, problem) = await users.LockAsync(items, ct);
            if (current is null) return problem!;

            var replaced = await replacement.WriteAsync(
                items, current, (user, item) => user.Replace(item, hashes[user.Id]), Update, ct);
            await transaction.CommitAsync();
            return replaced;
        }
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
