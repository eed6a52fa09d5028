using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// PUT /products/{id}: replaces the editable fields of a product. Without a stock it keeps the current one; a stock
/// that differs from the current one needs the version in If-Match. A replacement with the current values changes
/// nothing.
/// </summary>
internal static class UpdateProduct
{
    internal sealed record Command(int Id, NewValues<ProductInput.Replacement> Values, ExpectedVersion? IfMatch)
        : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapPut("/{id:int}", Handle).WithName(nameof(UpdateProduct))
            .ProducesProblem(StatusCodes.Status428PreconditionRequired);

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        ProductInput.Replacement body,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) =>
        CommandResponses.Replaced(await mediator.Send(new Command(id, body, ifMatch), ct), response);

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, MergePatch patch, TimeProvider clock)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Products.ForChange(command.Id).SingleOrDefaultAsync(ct) is not { } product)
                return Problem.NotFound("product", command.Id);
            if (command.IfMatch?.Allows(product.Version) is false) return Problem.VersionMismatch(product.Version);
            var (body, problem) = await patch.ApplyAsync(command.Values, product.Values, ct);
            if (body is null) return problem!;

            // Without a version the caller cannot know of the orders that took from the stock since it was read.
            if (command.IfMatch?.Names(product.Version) is not true && product.DiffersInStock(body))
                return StockVersion.Required(product);

            outbox.Add(product, product.Replace(body, clock.GetUtcMicroseconds()));
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(product.Id, product.Version);
        }
    }
}
