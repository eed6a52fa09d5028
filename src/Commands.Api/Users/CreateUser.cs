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
    internal sealed record Command(UserInput.Body Body) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder users) =>
        users.MapPost("/", Handle).WithName(nameof(CreateUser));

    private static async Task<Results<Created<Saved>, ProblemHttpResult>> Handle(
        UserInput.Body body, IMediator mediator, Answers answers, HttpResponse response, CancellationToken ct) =>
        answers.Created(Resource.Users.Name, await mediator.Send(new Command(body), ct), response);

    internal sealed class Handler(
        ShopDbContext db, EventOutbox outbox, IPasswordHasher<User> passwords, TimeProvider clock)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            if (command.Body.Password is not { } password)
                return Problem.Invalid("password", "The password field is required.");

            var user = User.New(command.Body, clock.GetUtcMicroseconds());
            user.SetPasswordHash(passwords.HashPassword(user, password));
            await db.Users.AddAsync(user, ct);
            outbox.Add(user.Created());
            await db.SaveChangesAsync(ct);
            return new Saved(user.Id, user.Version);
        }
    }
}
