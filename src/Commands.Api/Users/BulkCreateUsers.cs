using System.Text.Json.Serialization;
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
    internal sealed record Command(IReadOnlyList<UserInput.Body> Items) : IRequest<Result<BulkCreated>>
    {
        [JsonIgnore]
        public Result<string?[]>? PasswordHashes { get; set; }
    }

    public static void Map(RouteGroupBuilder users) =>
        users.MapPost("/bulk", Handle).WithName(nameof(BulkCreateUsers)).WithRequestTimeout(RequestTimeLimits.Long);

    private static async Task<Results<Created<BulkCreated>, ProblemHttpResult>> Handle(
        BulkItems<UserInput.Body> body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.BulkCreated(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Preparation(ShopDbContext db, ListPasswordHasher passwords) : ICommandPreparation<Command>
    {
        public bool IsDone(Command request) => request.PasswordHashes is not null;

        public async Task PrepareAsync(Command request, CancellationToken ct) =>
            request.PasswordHashes = await HashAsync(request.Items, ct);

        private async Task<Result<string?[]>> HashAsync(IReadOnlyList<UserInput.Body> items, CancellationToken ct)
        {
            var errors = new ItemErrors();
            for (var i = 0; i < items.Count; i++)
            {
                if (items[i].Password is null) errors.Add(i, "password", $"The password field is required.");
            }

            if (errors.Any) return errors.ToProblem();
            return await FindTakenAsync(items, ct) is { } taken ? taken : await passwords.HashAllAsync(items, ct);
        }

        private async Task<Problem?> FindTakenAsync(IReadOnlyList<UserInput.Body> items, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var taken = await UniqueEmailCheck.RunAsync(db, items, [], ct);
            if (taken is not null) await transaction.CommitAsync();
            return taken;
        }
    }

    internal sealed class Handler(ShopDbContext db, BulkInsert insert, TimeProvider clock)
        : IRequestHandler<Command, Result<BulkCreated>>
    {
        public async Task<Result<BulkCreated>> Handle(Command command, CancellationToken ct)
        {
            var (items, prepared) = (command.Items, command.PasswordHashes!);
            if (prepared.Value is not { } hashes) return prepared.Problem!;

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
            await transaction.CommitAsync();
            return created;
        }
    }
}
