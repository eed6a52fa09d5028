using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>PUT /reviews/bulk: replaces all the reviews of a list or none.</summary>
internal static class BulkUpdateReviews
{
    internal sealed record Command(IReadOnlyList<ReviewInput.Item> Items) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder reviews) =>
        reviews.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateReviews))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status412PreconditionFailed);

    private static async Task<Results<Ok<BulkReplaced>, ProblemHttpResult>> Handle(
        BulkItems<ReviewInput.Item> body, IMediator mediator, CancellationToken ct) =>
        Answers.BulkReplaced(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox) : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var replaced = await db.LockReplacedAsync("review", Resource.Reviews.Name, command.Items, ct);
            if (replaced.Problem is not null) return replaced;

            await outbox.ChangeAsync(Resource.Reviews.Name, Update(command.Items), ct);
            await transaction.CommitAsync(ct);
            return replaced;
        }

        private static FormattableString Update(IReadOnlyList<ReviewInput.Item> items) =>
            $"""
            UPDATE shop.reviews AS r SET rating = item.rating, comment = item.comment, version = r.version + 1
            FROM unnest({items.Ids()}, {items.Column(item => item.Rating!.Value)}, {items.Column(item => item.Comment)})
                AS item (id, rating, comment)
            WHERE r.id = item.id
            RETURNING r.id, r.version, shop.review_state(r), {EventTypes.ReviewUpdated}
            """;
    }
}
