using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Categories;

/// <summary>POST /categories/bulk: creates all the categories of a list or none.</summary>
internal static class BulkCreateCategories
{
    internal sealed record Command(IReadOnlyList<CategoryInput.Body> Items) : IRequest<Result<BulkCreated>>;

    public static void Map(RouteGroupBuilder categories) =>
        categories.MapPost("/bulk", Handle).WithName(nameof(BulkCreateCategories));

    private static async Task<Results<Created<BulkCreated>, ProblemHttpResult>> Handle(
        BulkItems<CategoryInput.Body> body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.BulkCreated(await mediator.Send(new Command(body.Items), ct));

    internal sealed class Handler(ShopDbContext db, BulkInsert insert, TimeProvider clock)
        : IRequestHandler<Command, Result<BulkCreated>>
    {
        public async Task<Result<BulkCreated>> Handle(Command command, CancellationToken ct)
        {
            var now = clock.GetUtcMicroseconds();
            await using var transaction = await db.BeginAsync(ct);
            var created = await insert.WriteAsync(
                CategoryRows.Table, command.Items, (body, id) => Category.New(body, now, id).Created(), ct);
            await transaction.CommitAsync();
            return created;
        }
    }
}
