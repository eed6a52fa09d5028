using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// Replaces an order that the caller's transaction has locked, with its event; a cancellation returns its items to
/// stock.
/// </summary>
internal sealed class OrderReplacement(
    ShopDbContext db, EventOutbox outbox, StockRelease stock, Actor actor, TimeProvider clock)
{
    public Task CancelAsync(Order order, CancellationToken ct) =>
        ReplaceAsync(order, OrderStatus.Cancelled, order.ShippingAddress, order.TrackingNumber, ct);

    public async Task ReplaceAsync(
        Order order, OrderStatus status, string shippingAddress, string? trackingNumber, CancellationToken ct)
    {
        var isCancelled = order.Status.ReservesStock() && status == OrderStatus.Cancelled;
        var now = clock.GetUtcMicroseconds();
        outbox.Add(order, order.Replace(status, shippingAddress, trackingNumber, now, actor.Kind));
        await db.SaveChangesAsync(ct);
        if (isCancelled) await stock.ReleaseAsync(order.Quantities(), ct);
    }
}
