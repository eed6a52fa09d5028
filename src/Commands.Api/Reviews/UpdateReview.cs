using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// PUT /reviews/{id}: replaces rating and comment; user and product of a review never change. A replacement with the
/// current values changes nothing.
/// </summary>
internal static class UpdateReview
{
    internal sealed record Command(int Id, NewValues<ReviewInput.Replacement> Values, ExpectedVersion? IfMatch)
        : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapPut("/{id:int}", Handle).WithName(nameof(UpdateReview));

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        ReviewInput.Replacement body,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) =>
        CommandResponses.Replaced(await mediator.Send(new Command(id, body, ifMatch), ct), response);

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, MergePatch patch)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Reviews.ForChange(command.Id).SingleOrDefaultAsync(ct) is not { } review)
                return Problem.NotFound("review", command.Id);
            if (command.IfMatch?.Allows(review.Version) is false) return Problem.VersionMismatch(review.Version);
            var (body, problem) = await patch.ApplyAsync(command.Values, review.Values, ct);
            if (body is null) return problem!;

            outbox.Add(review, review.Replace(body));
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(review.Id, review.Version);
        }
    }
}
