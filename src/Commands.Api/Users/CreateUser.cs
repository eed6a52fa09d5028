using System.Text.Json.Serialization;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Identity;

namespace ApexShop.Commands.Api.Users;

/// <summary>POST /users: registers a user; the e-mail address must be unique, ignoring case.</summary>
internal static class CreateUser
{
    internal sealed record Command(UserInput.Body Body) : IRequest<Result<Saved>>
    {
        [JsonIgnore]
        public Result<string>? PasswordHash { get; set; }
    }

    public static void Map(RouteGroupBuilder users) =>
        users.MapPost("/", Handle).WithName(nameof(CreateUser));

    private static async Task<Results<Created<Saved>, ProblemHttpResult>> Handle(
        UserInput.Body body,
        IMediator mediator,
        CommandResponses responses,
        HttpResponse response,
        CancellationToken ct) =>
        responses.Created(Resource.Users.Name, await mediator.Send(new Command(body), ct), response);

    internal sealed class Preparation(IPasswordHasher<User> passwords, HashingLimit limit)
        : ICommandPreparation<Command>
    {
        public bool IsDone(Command request) => request.PasswordHash is not null;

        public async Task PrepareAsync(Command request, CancellationToken ct) =>
            request.PasswordHash = request.Body.Password is { } password
                ? await limit.RunAsync(() => passwords.HashPassword(null!, password), ct)
                : Problem.Invalid("password", "The password field is required.");
    }

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            if (command.PasswordHash!.Value is not { } hash) return command.PasswordHash.Problem!;

            var user = User.New(command.Body, clock.GetUtcMicroseconds());
            user.SetPasswordHash(hash);
            await db.AddNewAsync(user, ct);
            outbox.Add(user.Created());
            await db.InsertAsync();
            return new Saved(user.Id, user.Version);
        }
    }
}
