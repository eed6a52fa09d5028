using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// PATCH /products/{id}/stock: sets the stock of a product, or adds a delta to it, unless the stock would be out of
/// range or If-Match does not name the current version. A product that has the new stock already does not change and
/// keeps its version.
/// </summary>
internal static class SetStock
{
    /// <summary>Either stock, 0 to 2,147,483,647, or delta, which is not 0.</summary>
    public sealed record Body(
        [Range(0, int.MaxValue)] int? Stock = null,
        [DeniedValues(0, ErrorMessage = StockChange.ZeroDelta)] int? Delta = null) : IValidatableObject
    {
        public IEnumerable<ValidationResult> Validate(ValidationContext validationContext) =>
            new StockChange(Stock, Delta).Validate();
    }

    internal sealed record Command(int Id, Body Body, ExpectedVersion? IfMatch) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapPatch("/{id:int}/stock", Handle).WithName(nameof(SetStock));

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        Body body,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) =>
        CommandResponses.Replaced(await mediator.Send(new Command(id, body, ifMatch), ct), response);

    internal sealed class Handler(ShopDbContext db, StockWriter stock, EventOutbox outbox)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            var change = new StockChange(command.Body.Stock, command.Body.Delta);
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Products.ForChange(command.Id).AsNoTracking().SingleOrDefaultAsync(ct) is not { } product)
                return Problem.NotFound("product", command.Id);
            if (command.IfMatch?.Allows(product.Version) is false) return Problem.VersionMismatch(product.Version);

            LockedStock[] locked = [new(product.Id, product.Stock)];
            if (await stock.RefusalAsync(locked, change, ct) is { } problem) return problem;

            var isChanged = change.AppliedTo(product.Stock) != product.Stock;
            if (isChanged) await stock.ApplyAsync(locked, change, ct);
            else outbox.RecordChange(Resource.Products.Name, product.Id, product.Version);
            await transaction.CommitAsync();
            return new Saved(product.Id, product.Version + (isChanged ? 1 : 0));
        }
    }
}
