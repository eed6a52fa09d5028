using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Orders;

/// <summary>DELETE /orders/{id}: deletes an order; if it is Pending or Processing, its items return to stock.</summary>
internal static class DeleteOrder
{
    internal sealed record Command(int Id, ExpectedVersion? IfMatch) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder orders) =>
        orders.MapDelete("/{id:int}", Handle).WithName(nameof(DeleteOrder));

    private static async Task<Results<NoContent, ProblemHttpResult>> Handle(
        int id, [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Deleted(await mediator.Send(new Command(id, ifMatch), ct));

    internal sealed class Handler(ShopDbContext db, EventOutbox outbox, StockRelease stock)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Orders.ForUpdate(command.Id).Include(o => o.Items).SingleOrDefaultAsync(ct) is not { } order)
                return Problem.NotFound("order", command.Id);
            if (command.IfMatch?.Allows(order.Version) is false) return Problem.VersionMismatch(order.Version);

            if (order.Status.ReservesStock()) await stock.ReleaseAsync(order.Quantities(), ct);
            outbox.Add(order.Deleted());
            db.Orders.Remove(order);
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(order.Id, order.Version);
        }
    }
}
