using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>POST /reviews/bulk: creates all the reviews of a list or none.</summary>
internal static class BulkCreateReviews
{
    internal sealed record Command(IReadOnlyList<ReviewInput.Body> Items) : IRequest<Result<BulkCreated>>;

    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapPost("/bulk", Handle).WithName(nameof(BulkCreateReviews));

    private static async Task<Results<Created<BulkCreated>, ProblemHttpResult>> Handle(
        BulkItems<ReviewInput.Body> body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.BulkCreated(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, ReviewChecks checks, BulkInsert insert, TimeProvider clock)
        : IRequestHandler<Command, Result<BulkCreated>>
    {
        public async Task<Result<BulkCreated>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var known = await checks.CheckAsync(command.Items, ct);
            if (known.Problem is { } problem) return problem;

            var now = clock.GetUtcMicroseconds();
            var reviews = command.Items.Zip(known.Value!).ToList();
            var created = await insert.WriteAsync(
                ReviewRows.Table,
                reviews,
                (review, id) => Review.New(review.First, review.Second, now, id).Created(),
                ct);
            await transaction.CommitAsync();
            return created;
        }
    }
}
