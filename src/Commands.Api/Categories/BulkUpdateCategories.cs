using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Categories;

/// <summary>
/// PUT /categories/bulk: replaces all the categories of a list or none. An item with the current values changes
/// nothing.
/// </summary>
internal static class BulkUpdateCategories
{
    internal sealed record Command(IReadOnlyList<CategoryInput.Item> Items) : IRequest<Result<BulkReplaced>>;

    public static void Map(RouteGroupBuilder categories) =>
        categories.MapPut("/bulk", Handle).WithName(nameof(BulkUpdateCategories))
            .ProducesProblem(StatusCodes.Status404NotFound).ProducesProblem(StatusCodes.Status412PreconditionFailed);

    private static async Task<Results<Ok<BulkReplaced>, ProblemHttpResult>> Handle(
        BulkItems<CategoryInput.Item> body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.BulkReplaced(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, BulkReplacement replacement)
        : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var locked = await replacement.LockAsync<Category, CategoryInput.Item>(command.Items, ct);
            if (locked.Value is not { } current) return locked.Problem!;

            var replaced = await replacement.WriteAsync(
                command.Items, current, (category, item) => category.Replace(item), Update, ct);
            await transaction.CommitAsync();
            return replaced;
        }

        private static FormattableString Update(IReadOnlyList<Category> categories) =>
            $"""
            UPDATE shop.categories AS c
            SET name = item.name, description = item.description, is_active = item.is_active, version = c.version + 1
            FROM unnest({categories.Column(c => c.Id)}, {categories.Column(c => c.Name)},
                {categories.Column(c => c.Description)}, {categories.Column(c => c.IsActive)})
                AS item (id, name, description, is_active)
            WHERE c.id = item.id
            RETURNING c.id, c.version, shop.category_state(c), {EventTypes.CategoryUpdated}
            """;
    }
}
