using System.Text.Json.Serialization;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// PUT /users/{id}: replaces a user; without a password the old one is kept. A replacement with the current values and
/// without a password changes nothing.
/// </summary>
internal static class UpdateUser
{
    internal sealed record Command(int Id, NewValues<UserInput.Body> Values, ExpectedVersion? IfMatch)
        : IRequest<Result<Saved>>
    {
        /// <summary>The value is null without a password, which is then kept.</summary>
        [JsonIgnore]
        public Result<string?>? PasswordHash { get; set; }
    }

    public static void Map(RouteGroupBuilder users) =>
        users.MapPut("/{id:int}", Handle).WithName(nameof(UpdateUser));

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        UserInput.Body body,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) =>
        CommandResponses.Replaced(await mediator.Send(new Command(id, body, ifMatch), ct), response);

    internal sealed class Preparation(
        ShopDbContext db, MergePatch patch, IPasswordHasher<User> passwords, HashingLimit limit)
        : ICommandPreparation<Command>
    {
        public bool IsDone(Command request) => request.PasswordHash is not null || !HasPassword(request.Values);

        public async Task PrepareAsync(Command request, CancellationToken ct)
        {
            if (IsDone(request)) return;
            var (values, invalid) = await ValuesAsync(request, ct);
            request.PasswordHash = values?.Password is { } password
                ? await limit.RunAsync(() => passwords.HashPassword(null!, password), ct)
                : new Result<string?>(null, invalid);
        }

        // Of a patch they are those before the lock: only the password is used, which no other request changes here.
        private async Task<Result<UserInput.Body>> ValuesAsync(Command command, CancellationToken ct)
        {
            if (command.Values.Whole is { } whole) return whole;
            await using var transaction = await db.BeginAsync(ct);
            var known = await db.Users.AsNoTracking().SingleOrDefaultAsync(user => user.Id == command.Id, ct);
            if (known is { IsErased: false }) return await patch.ApplyAsync(command.Values, known.Values, ct);
            await transaction.CommitAsync();
            return known is null ? Problem.NotFound("user", command.Id) : ErasedPerson.Refusal(known.Id);
        }

        private static bool HasPassword(NewValues<UserInput.Body> values) => values.Whole?.Password is not null
            || values.Patch?.Any(one => one.Name.Equals("password", StringComparison.OrdinalIgnoreCase)) is true;
    }

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, MergePatch patch)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            if (command.PasswordHash?.Problem is { } invalid) return invalid;
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Users.ForChange(command.Id).SingleOrDefaultAsync(ct) is not { } user)
                return Problem.NotFound("user", command.Id);
            if (command.IfMatch?.Allows(user.Version) is false) return Problem.VersionMismatch(user.Version);
            if (user.IsErased) return ErasedPerson.Refusal(user.Id);
            var (body, problem) = await patch.ApplyAsync(command.Values, user.Values, ct);
            if (body is null) return problem!;

            outbox.Add(user, user.Replace(body, command.PasswordHash?.Value));
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(user.Id, user.Version);
        }
    }
}
