using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
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

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, PasswordHashes passwords)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            // Seconds of work that no lock has to wait for.
            var hashes = await passwords.OfAsync(command.Items, ct);
            await using var transaction = await db.BeginAsync(ct);
            var ids = Replacements.Ids(command.Items);
            var users = await db.Users.ForChange(ids).ToDictionaryAsync(u => u.Id, ct);
            var versions = users.ToDictionary(pair => pair.Key, pair => pair.Value.Version);
            if (Replacements.Check("user", command.Items, versions) is { } problem) return problem;
            if (await EmailAddresses.TakenAsync(db, command.Items, ids, ct) is { } taken) return taken;

            for (var i = 0; i < ids.Length; i++)
            {
                if (hashes[i] is { } hash) users[ids[i]].SetPasswordHash(hash);
                outbox.Add(users[ids[i]].Replace(command.Items[i]));
            }

            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync(ct);
            return new BulkReplaced(ids.Length, [.. ids.Select(id => new Saved(id, users[id].Version))]);
        }
    }
}
