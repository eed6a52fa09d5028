using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// What a customer may do: order and review in the own name, change the own reviews, and until it is shipped change the
/// address of an own order or cancel it. What belongs to another customer is not found. The owner of an order or review
/// never changes, so it can be read before the command locks the row.
/// </summary>
internal sealed class CustomerRules(ShopDbContext db) :
    ICustomerRule<CreateSession.Command>,
    ICustomerRule<CreateOrder.Command>,
    ICustomerRule<UpdateOrder.Command>,
    ICustomerRule<CreateReview.Command>,
    ICustomerRule<UpdateReview.Command>,
    ICustomerRule<DeleteReview.Command>
{
    private static readonly Task<Problem?> none = Task.FromResult<Problem?>(null);

    public Task<Problem?> RefusalAsync(CreateSession.Command request, int customerId, CancellationToken ct) => none;

    public Task<Problem?> RefusalAsync(CreateOrder.Command request, int customerId, CancellationToken ct) =>
        request.Body.UserId == customerId ? none : Task.FromResult<Problem?>(Problem.OwnOnly());

    public async Task<Problem?> RefusalAsync(UpdateOrder.Command request, int customerId, CancellationToken ct)
    {
        var order = await db.Orders.Where(one => one.Id == request.Id && one.UserId == customerId)
            .Select(one => new { one.Status, one.TrackingNumber }).SingleOrDefaultAsync(ct);
        if (order is null) return Problem.NotFound("order", request.Id);
        if (!order.Status.ReservesStock())
            return Problem.Conflict(
                "order.status_refused", $"An order that is {order.Status} cannot be changed by its customer any more.");

        // A status that the shop changes meanwhile is a later one, and the command refuses the earlier one of the body.
        var body = request.Body;
        var keepsStatus = body.Status == order.Status.ToString() || body.Status == nameof(OrderStatus.Cancelled);
        return keepsStatus && body.TrackingNumber == order.TrackingNumber ? null : Problem.OwnOnly();
    }

    public Task<Problem?> RefusalAsync(CreateReview.Command request, int customerId, CancellationToken ct) =>
        request.Body.UserId == customerId ? none : Task.FromResult<Problem?>(Problem.OwnOnly());

    public Task<Problem?> RefusalAsync(UpdateReview.Command request, int customerId, CancellationToken ct) =>
        OfReviewAsync(request.Id, customerId, ct);

    public Task<Problem?> RefusalAsync(DeleteReview.Command request, int customerId, CancellationToken ct) =>
        OfReviewAsync(request.Id, customerId, ct);

    private async Task<Problem?> OfReviewAsync(int id, int customerId, CancellationToken ct) =>
        await db.Reviews.AnyAsync(review => review.Id == id && review.UserId == customerId, ct)
            ? null
            : Problem.NotFound("review", id);
}
