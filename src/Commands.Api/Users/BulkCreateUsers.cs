using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Users;

/// <summary>POST /users/bulk: registers all the users of a list or none.</summary>
internal static class BulkCreateUsers
{
    internal sealed record Command(IReadOnlyList<UserInput.Body> Items) : IRequest<Result<BulkCreated>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPost("/bulk", Handle).WithName(nameof(BulkCreateUsers)).WithRequestTimeout(RequestTime.Long);

    private static async Task<Results<Created<BulkCreated>, ProblemHttpResult>> Handle(
        BulkItems<UserInput.Body> body, IMediator mediator, CancellationToken ct) =>
        Answers.BulkCreated(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, BulkInsert insert, ListPasswordHasher passwords, TimeProvider clock)
        : IRequestHandler<Command, Result<BulkCreated>>
    {
        public async Task<Result<BulkCreated>> Handle(Command command, CancellationToken ct)
        {
            var errors = new ItemErrors();
            for (var i = 0; i < command.Items.Count; i++)
            {
                if (command.Items[i].Password is null) errors.Add(i, "password", $"The password field is required.");
            }

            if (errors.Any) return errors.ToProblem();
            if (await UniqueEmailCheck.RunAsync(db, command.Items, [], ct) is { } taken) return taken;

            // Takes seconds, so it runs before the transaction begins.
            var hashes = await passwords.HashAllAsync(command.Items, ct);
            return await WriteAsync(command.Items, hashes, ct);
        }

        private async Task<BulkCreated> WriteAsync(
            IReadOnlyList<UserInput.Body> items, string?[] hashes, CancellationToken ct)
        {
            var (now, hashOf) = (clock.GetUtcMicroseconds(), new Dictionary<int, string>());
            await using var transaction = await db.BeginAsync(ct);
            var created = await insert.WriteAsync(
                UserRows.Table(user => hashOf[user.Id]),
                [.. items.Zip(hashes)],
                (user, id) =>
                {
                    hashOf[id] = user.Second!;
                    return User.New(user.First, now, id).Created();
                },
                ct);
            await transaction.CommitAsync(ct);
            return created;
        }
    }
}
