using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>
/// PUT /reviews/bulk: replaces all the reviews of a list or none. An item with the current values changes nothing.
/// </summary>
internal static class BulkUpdateReviews
{
    internal sealed record Command(IReadOnlyList<ReviewInput.Item> Items) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateReviews))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status412PreconditionFailed);

    private static async Task<Results<Ok<BulkReplaced>, ProblemHttpResult>> Handle(
        BulkItems<ReviewInput.Item> body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.BulkReplaced(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, BulkReplacement replacement)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var locked = await replacement.LockAsync<Review, ReviewInput.Item>(command.Items, ct);
            if (locked.Value is not { } current) return locked.Problem!;

            var replaced = await replacement.WriteAsync(
                command.Items, current, (review, item) => review.Replace(item), Update, ct);
            await transaction.CommitAsync();
            return replaced;
        }

        private static FormattableString Update(IReadOnlyList<Review> reviews) =>
            $"""
            UPDATE shop.reviews AS r SET rating = item.rating, comment = item.comment, version = r.version + 1
            FROM unnest({reviews.Column(r => r.Id)}, {reviews.Column(r => r.Rating)}, {reviews.Column(r => r.Comment)})
                AS item (id, rating, comment)
            WHERE r.id = item.id
            RETURNING r.id, r.version, shop.review_state(r), {EventTypes.ReviewUpdated}
            """;
    }
}
