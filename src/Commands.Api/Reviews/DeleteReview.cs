using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>DELETE /reviews/{id}: deletes a review.</summary>
internal static class DeleteReview
{
    internal sealed record Command(int Id, ExpectedVersion? IfMatch) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapDelete("/{id:int}", Handle).WithName(nameof(DeleteReview));

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(
        int id, [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Deleted(await mediator.Send(new Command(id, ifMatch), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Reviews.ForUpdate(command.Id).SingleOrDefaultAsync(ct) is not { } review)
                return Problem.NotFound("review", command.Id);
            if (command.IfMatch?.Allows(review.Version) is false) return Problem.VersionMismatch(review.Version);

            outbox.Add(review.Deleted());
            db.Reviews.Remove(review);
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(review.Id, review.Version);
        }
    }
}
