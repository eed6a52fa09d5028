using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using ApexShop.Events;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.EntityFrameworkCore;

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

    internal sealed class Handler(ShopDbContext db, BulkReplace replace)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var reviews = await db.Reviews.ForChange(Replacements.Ids(command.Items)).AsNoTracking()
                .ToDictionaryAsync(r => r.Id, ct);
            var versions = reviews.ToDictionary(pair => pair.Key, pair => pair.Value.Version);
            if (Replacements.Check("review", command.Items, versions) is { } problem) return problem;

            var changes = command.Items.Select(item => reviews[item.Id!.Value].Replace(item)).ToList();
            var replaced = await replace.WriteAsync(CopyTables.Reviews, changes, Update, ct);
            await transaction.CommitAsync(ct);
            return replaced;
        }

        private static FormattableString Update(ReviewState[] states) =>
            $"""
            UPDATE shop.reviews AS r SET rating = s.rating, comment = s.comment, version = s.version
            FROM unnest({states.Column(s => s.Id)}, {states.Column(s => s.Rating)}, {states.Column(s => s.Comment)},
                {states.Column(s => s.Version)}) AS s (id, rating, comment, version)
            WHERE r.id = s.id
            """;
    }
}
