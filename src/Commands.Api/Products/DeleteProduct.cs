using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Products;

/// <summary>DELETE /products/{id}: deletes a product that was never sold, and its reviews.</summary>
internal static class DeleteProduct
{
    internal sealed record Command(int Id, ExpectedVersion? IfMatch) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder products) =>
        products.MapDelete("/{id:int}", Handle).WithName(nameof(DeleteProduct));

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(
        int id, [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Deleted(await mediator.Send(new Command(id, ifMatch), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, ReviewDeletion reviews)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Products.ForUpdate(command.Id).SingleOrDefaultAsync(ct) is not { } product)
                return Problem.NotFound("product", command.Id);
            if (command.IfMatch?.Allows(product.Version) is false) return Problem.VersionMismatch(product.Version);

            var orders = await db.ReferencesAsync("order_items", "order_id", "product_id", product.Id, ct);
            if (orders.Count > 0)
                return Problem.ReferencedBy(
                    "product.sold", $"Product {product.Id} was sold.", Resource.Orders.Name, orders);

            await reviews.DeleteOfProductsAsync([product.Id], ct);
            outbox.Add(product.Deleted());
            db.Products.Remove(product);
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(product.Id, product.Version);
        }
    }
}
