using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Commands.Validation;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Users;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// POST /orders: sells 1 to 100 items at the current prices and takes them from stock, all or nothing; items of the
/// same product are combined. The user and the products must be active. An order that is still Pending after
/// `Orders:PendingMinutes` is cancelled, and its items return to stock. A customer may have
/// `Orders:PendingOfCustomer` orders that are still Pending, each with `Orders:QuantityOfCustomer` pieces of a product.
/// </summary>
internal static class CreateOrder
{
    public sealed record Body(
        [Required] int? UserId,
        [Required, Multiline(FixedLimits.ShippingAddress)] string ShippingAddress,
        [Required, Length(1, FixedLimits.OrderItems), NoNulls] IReadOnlyList<Item> Items);

    public sealed record Item([Required] int? ProductId, [Required, Range(1, int.MaxValue)] int? Quantity);

    internal sealed record Command(Body Body) : IRequest<Result<Saved>>, ICustomerCommand
    {
        public bool IsPermittedTo(int customerId) => Body.UserId == customerId;
    }

    public static void Map(RouteGroupBuilder orders) =>
        orders.MapPost("/", Handle).WithName(nameof(CreateOrder));

    private static async Task<Results<Created<Saved>, ProblemHttpResult>> Handle(
        Body body,
        IMediator mediator,
        CommandResponses responses,
        HttpResponse response,
        CancellationToken ct) =>
        responses.Created(Resource.Orders.Name, await mediator.Send(new Command(body), ct), response);

    internal sealed class Handler(
        ShopDbContext db, EventOutbox outbox, PendingOrderLimit limit, OrderReservation reservation, Actor actor,
        TimeProvider clock, IOptions<OrderOptions> options) : IRequestHandler<Command, Result<Saved>>
    {
        public async Task<Result<Saved>> Handle(Command command, CancellationToken ct)
        {
            var body = command.Body;
            var lines = body.Items.GroupBy(item => item.ProductId!.Value)
                .Select(same => new ProductQuantity(same.Key, same.Sum(item => (long)item.Quantity!.Value)))
                .ToList();
            if (limit.CheckQuantities(lines, body.Items.Select(item => item.ProductId!.Value)) is { } tooLarge)
                return tooLarge;

            await using var transaction = await db.BeginAsync(ct);
            if (await limit.CheckAsync(body.UserId!.Value, ct) is { } tooMany) return tooMany;
            var (reserved, user) = await reservation.ReserveAsync(lines, body.UserId!.Value, ct);
            if (reserved.Problem is { } problem) return problem;
            if (user is not { IsActive: true }) return Refusal(user, body.UserId!.Value);

            // The quantity was in stock, so it fits an int.
            var items = lines.Join(reserved.Value!, line => line.ProductId, product => product.Id,
                (line, product) => new OrderItem(product.Id, product.Name, (int)line.Quantity, product.Price));
            var order = Order.New(body.UserId!.Value, body.ShippingAddress, items, clock.GetUtcMicroseconds(),
                actor.Kind, user.Now + options.Value.PendingTime);
            if (order.TotalAmount > MoneyAttribute.Max)
                return Problem.Conflict("order.total_too_large", "The total of the order is too large.");

            await db.AddNewAsync(order, ct);
            outbox.Add(order.Placed());
            await db.SaveChangesAsync(ct);
            await transaction.CommitAsync();
            return new Saved(order.Id, order.Version);
        }

        private Problem Refusal(LockedUser? user, int userId)
        {
            if (actor.IsCustomer) return Problem.CustomerInactive();
            return user is null
                ? Problem.Conflict("order.user_unknown", $"There is no user {userId}.")
                : Problem.Conflict("order.user_inactive", $"User {userId} is not active.");
        }
    }
}
