using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using ApexShop.Access;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// POST /sessions: verifies the password of a customer and returns a token for the customer's own orders and reviews.
/// Attempts are limited by e-mail address and by network address.
/// </summary>
internal static class CreateSession
{
    private static readonly Problem off = new(
        StatusCodes.Status503ServiceUnavailable, "session.off", "Customers cannot log in: Sessions:Key is not set.");

    public sealed record Body(
        [Required, SingleLine(FixedLimits.Email)] string Email,
        // A password may be of spaces only.
        [Required(AllowEmptyStrings = true), SingleLine(FixedLimits.Password, MinimumLength = 1)] string Password);

    internal sealed record Command(Body Body) : IRequest<Result<Saved>>, IPublicCommand
    {
        [JsonIgnore]
        public Result<VerifiedUser>? Found { get; set; }
    }

    public static void Map(RouteGroupBuilder sessions) =>
        sessions.MapPost("/", Handle).WithName(nameof(CreateSession)).ProducesProblem(StatusCodes.Status401Unauthorized)
            .ProducesProblem(StatusCodes.Status503ServiceUnavailable)
            .WithMetadata(new RequestSizeLimitAttribute(LimitOptions.SessionBytes));

    private static async Task<Results<Ok<CustomerToken>, ProblemHttpResult>> Handle(
        Body body, HttpContext http, LoginAttempt attempt, CustomerTokens tokens, IMediator mediator,
        CancellationToken ct)
    {
        var headers = http.Response.Headers;
        headers.CacheControl = "no-store";
        if (!tokens.IsOn) return CommandResponses.ToHttp(off);
        if (await attempt.BeginAsync(http, body.Email, ct) is { } refused) return refused;
        var loggedIn = await mediator.Send(new Command(body), ct);
        // Made here and not in the handler, whose result could be stored.
        if (loggedIn.Value is { } user) return TypedResults.Ok(tokens.Write(user.Id));
        headers.WWWAuthenticate = "Bearer";
        return CommandResponses.ToHttp(loggedIn.Problem!);
    }

    internal sealed class Preparation(LoginCheck logins, LoginAttempt attempt) : ICommandPreparation<Command>
    {
        public bool IsDone(Command request) => request.Found is not null;

        public async Task PrepareAsync(Command request, CancellationToken ct)
        {
            // The permit ends here, so that the next caller does not wait for the rest of the login.
            using (attempt)
                request.Found = await logins.FindAsync(request.Body.Email, request.Body.Password, ct);
        }
    }

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, Actor actor, TimeProvider clock)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            if (command.Found!.Value is not { } found) return LoginCheck.Refused;

            await using var transaction = await db.BeginAsync(ct);
            var user = await db.Users.ForChange(found.Id).SingleOrDefaultAsync(ct);
            // The user was changed meanwhile.
            if (user is not { IsActive: true } || user.PasswordHash != found.PasswordHash)
                return LoginCheck.Refused;

            actor.LogIn(user.Id);
            outbox.Add(user.LogIn(clock.GetUtcMicroseconds()));
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(user.Id, user.Version);
        }
    }
}
