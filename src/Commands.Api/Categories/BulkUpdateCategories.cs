using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Categories;

/// <summary>PUT /categories/bulk: replaces all the categories of a list or none.</summary>
internal static class BulkUpdateCategories
{
    internal sealed record Command(IReadOnlyList<CategoryInput.Item> Items) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder categories) =>
        categories.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateCategories))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status412PreconditionFailed);

    private static async Task<Results<Ok<BulkReplaced>, ProblemHttpResult>> Handle(
        BulkItems<CategoryInput.Item> body, IMediator mediator, CancellationToken ct) =>
        Answers.BulkReplaced(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var categories = await db.Categories.ForChange(Replacements.Ids(command.Items)).ToDictionaryAsync(c => c.Id, ct);
            var versions = categories.ToDictionary(pair => pair.Key, pair => pair.Value.Version);
            if (Replacements.Check("category", command.Items, versions) is { } problem) return problem;

            foreach (var item in command.Items) outbox.Add(categories[item.Id!.Value].Replace(item));
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync(ct);
            return new BulkReplaced(command.Items.Count, [.. command.Items.Select(item => Saved(categories[item.Id!.Value]))]);
        }

        private static Saved Saved(Category category) => new(category.Id, category.Version);
    }
}
