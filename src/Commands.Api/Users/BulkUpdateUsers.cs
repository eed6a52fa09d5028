using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using ApexShop.Events;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>PUT /users/bulk: replaces all the users of a list or none; without a password the old one stays.</summary>
internal static class BulkUpdateUsers
{
    internal sealed record Command(IReadOnlyList<UserInput.Item> Items) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateUsers))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status412PreconditionFailed).WithRequestTimeout(RequestTime.Long);

    private static async Task<Results<Ok<BulkReplaced>, ProblemHttpResult>> Handle(
        BulkItems<UserInput.Item> body, IMediator mediator, CancellationToken ct) =>
        Answers.BulkReplaced(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, BulkReplace replace, PasswordHashing passwords)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            // Seconds of work that no lock has to wait for.
            var hashes = await passwords.HashAllAsync(command.Items, ct);
            await using var transaction = await db.BeginAsync(ct);
            var ids = Replacements.Ids(command.Items);
            var users = await db.Users.ForChange(ids).AsNoTracking().ToDictionaryAsync(u => u.Id, ct);
            var versions = users.ToDictionary(pair => pair.Key, pair => pair.Value.Version);
            if (Replacements.Check("user", command.Items, versions) is { } problem) return problem;
            if (await EmailUniqueness.CheckAsync(db, command.Items, ids, ct) is { } taken) return taken;

            var changes = command.Items.Select(item => users[item.Id!.Value].Replace(item)).ToList();
            var replaced = await replace.WriteAsync(CopyTables.Users(_ => ""), changes, states => Update(states, hashes), ct);
            await transaction.CommitAsync(ct);
            return replaced;
        }

        private static FormattableString Update(UserState[] states, string?[] hashes) =>
            $"""
            UPDATE shop.users AS u
            SET email = s.email, first_name = s.first_name, last_name = s.last_name, phone_number = s.phone_number,
                is_active = s.is_active, version = s.version, password_hash = COALESCE(s.password_hash, u.password_hash)
            FROM unnest({states.Column(s => s.Id)}, {states.Column(s => s.Email)}, {states.Column(s => s.FirstName)},
                {states.Column(s => s.LastName)}, {states.Column(s => s.PhoneNumber)}, {states.Column(s => s.IsActive)},
                {states.Column(s => s.Version)}, {hashes})
                AS s (id, email, first_name, last_name, phone_number, is_active, version, password_hash)
            WHERE u.id = s.id
            """;
    }
}
