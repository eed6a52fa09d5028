using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

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

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox) : IRequestHandler<Command, Result<BulkReplaced>>
    {
        public async Task<Result<BulkReplaced>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            var replaced = await db.LockReplacedAsync("category", Resource.Categories.Name, command.Items, ct);
            if (replaced.Problem is not null) return replaced;

            await outbox.ChangeAsync(Resource.Categories.Name, Update(command.Items), ct);
            await transaction.CommitAsync(ct);
            return replaced;
        }

        private static FormattableString Update(IReadOnlyList<CategoryInput.Item> items) =>
            $"""
            UPDATE shop.categories AS c
            SET name = item.name, description = item.description, is_active = item.is_active, version = c.version + 1
            FROM unnest({items.Ids()}, {items.Column(item => item.Name)}, {items.Column(item => item.Description)},
                {items.Column(item => item.IsActive)}) AS item (id, name, description, is_active)
            WHERE c.id = item.id
            RETURNING c.id, c.version, shop.category_state(c), {EventTypes.CategoryUpdated}
            """;
    }
}
