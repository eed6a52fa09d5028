using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// PATCH /products/bulk-update-stock: sets the stock of a category's products, or adds a delta to it; none, if the
/// stock of one would be out of range. A product that has the new stock already does not change and keeps its version.
/// </summary>
internal static class SetStockByCategory
{
    /// <summary>Either stock, 0 to 2,147,483,647, or delta, which is not 0.</summary>
    public sealed record Body(
        [Required] int? CategoryId,
        [Range(0, int.MaxValue)] int? Stock = null,
        [DeniedValues(0, ErrorMessage = StockChange.ZeroDelta)] int? Delta = null) : IValidatableObject
    {
        public IEnumerable<ValidationResult> Validate(ValidationContext validationContext) =>
            new StockChange(Stock, Delta).Validate();
    }

    internal sealed record Command(Body Body) : IRequest<Result<ChangedRows>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapPatch("/bulk-update-stock", Handle)
            .WithName(nameof(SetStockByCategory)).WithRequestTimeout(RequestTimeLimits.Long);

    private static async Task<Results<Ok<ChangedRows>, ProblemHttpResult>> Handle(
        Body body, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Done(await mediator.Send(new Command(body), ct));

    internal sealed class Handler(ShopDbContext db, StockWriter stock) : IRequestHandler<Command, Result<ChangedRows>>
    {
        public async Task<Result<ChangedRows>> Handle(Command command, CancellationToken ct)
        {
            var categoryId = command.Body.CategoryId!.Value;
            var change = new StockChange(command.Body.Stock, command.Body.Delta);
            await using var transaction = await db.BeginAsync(ct);
            if (!await db.Categories.AnyAsync(category => category.Id == categoryId, ct))
                return Problem.Conflict("product.category_unknown", $"There is no category {categoryId}.");

            await stock.PlanForValuesAsync(ct);
            var (changed, last, isFull) = (0, 0, true);
            while (isFull && await stock.LockAsync(categoryId, change, last, ct) is [.., var end] chunk)
            {
                if (await stock.RefusalAsync(chunk, change, ct) is { } problem) return problem;
                changed += await stock.ApplyAsync(chunk, change, ct);
                (last, isFull) = (end.Id, chunk.Count == stock.ChunkRows);
            }

            await transaction.CommitAsync();
            return new ChangedRows(changed);
        }
    }
}
