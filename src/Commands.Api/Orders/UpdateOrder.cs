using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// PUT /orders/{id}: replaces status, address and tracking number; a cancellation returns the items to stock. The
/// address and tracking number of a Delivered or Cancelled order cannot be changed. A replacement with the current
/// values changes nothing.
/// </summary>
internal static class UpdateOrder
{
    public sealed record Body(
        [Required, AllowedValues("Pending", "Processing", "Shipped", "Delivered", "Cancelled")] string Status,
        [Required, Multiline(FixedLimits.ShippingAddress)] string ShippingAddress,
        [SingleLine(FixedLimits.TrackingNumber)] string? TrackingNumber = null);

    internal sealed record Command(int Id, NewValues<Body> Values, ExpectedVersion? IfMatch) : IRequest<Result<Saved>>;

    public static void Map(RouteGroupBuilder orders) =>
        orders.MapPut("/{id:int}", Handle).WithName(nameof(UpdateOrder));

    private static async Task<Results<Ok<Saved>, ProblemHttpResult>> Handle(
        int id,
        Body body,
        [FromHeader(Name = "If-Match")] ExpectedVersion? ifMatch,
        IMediator mediator,
        HttpResponse response,
        CancellationToken ct) =>
        CommandResponses.Replaced(await mediator.Send(new Command(id, body, ifMatch), ct), response);

    internal sealed class Handler(ShopDbContext db, OrderReplacement replacement, MergePatch patch)
        : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            await using var transaction = await db.BeginAsync(ct);
            if (await db.Orders.ForChange(command.Id).Include(o => o.Items).SingleOrDefaultAsync(ct) is not { } order)
                return Problem.NotFound("order", command.Id);
            if (command.IfMatch?.Allows(order.Version) is false) return Problem.VersionMismatch(order.Version);
            var (body, problem) = await patch.ApplyAsync(command.Values, () => ValuesOf(order), ct);
            if (body is null) return problem!;

            var (before, after) = (order.Status, Enum.Parse<OrderStatus>(body.Status));
            if (before != after && !before.MayBecome(after))
                return Problem.Conflict("order.status_refused", $"An order that is {before} cannot become {after}.");

            if (before.IsClosed() && order.DiffersIn(body.ShippingAddress, body.TrackingNumber))
            {
                return Problem.Conflict(
                    "order.closed", $"The address and tracking number of an order that is {before} cannot be changed.");
            }

            await replacement.ReplaceAsync(order, after, body.ShippingAddress, body.TrackingNumber, ct);
            await transaction.CommitAsync();
            return new Saved(order.Id, order.Version);
        }

        private static Body ValuesOf(Order order) =>
            new(order.Status.ToString(), order.ShippingAddress, order.TrackingNumber);
    }
}
