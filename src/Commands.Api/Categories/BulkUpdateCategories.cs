using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using ApexShop.Events;
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

    internal sealed class Handler(ShopDbContext db, BulkReplace replace)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var categories = await db.Categories.ForChange(Replacements.Ids(command.Items)).AsNoTracking()
                .ToDictionaryAsync(c => c.Id, ct);
            var versions = categories.ToDictionary(pair => pair.Key, pair => pair.Value.Version);
            if (Replacements.Check("category", command.Items, versions) is { } problem) return problem;

            var changes = command.Items.Select(item => categories[item.Id!.Value].Replace(item)).ToList();
            var replaced = await replace.WriteAsync(CopyTables.Categories, changes, Update, ct);
            await transaction.CommitAsync(ct);
            return replaced;
        }

        private static FormattableString Update(CategoryState[] states) =>
            $"""
            UPDATE shop.categories AS c
            SET name = s.name, description = s.description, is_active = s.is_active, version = s.version
            FROM unnest({states.Column(s => s.Id)}, {states.Column(s => s.Name)}, {states.Column(s => s.Description)},
                {states.Column(s => s.IsActive)}, {states.Column(s => s.Version)})
                AS s (id, name, description, is_active, version)
            WHERE c.id = s.id
            """;
    }
}
