using ApexShop.Commands.Api.Persistence;
using ApexShop.Errors;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Orders;

/// <summary>Cancels the orders that are Pending after their deadline, in every process.</summary>
internal sealed class OrderExpiry(
    IServiceScopeFactory scopes, TimeProvider clock, IOptions<OrderOptions> options, ILogger<OrderExpiry> logger)
    : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        if (options.Value.PendingTime is null) return;

        using var timer = new PeriodicTimer(options.Value.ExpiryInterval, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                var count = 0;
                while (await CancelNextAsync(stoppingToken)) count++;
                if (count > 0) logger.OrdersExpired(count);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.ExpiryFailed(exception.Reason, exception.Unexpected);
            }
        }
    }

    // One order per transaction: the products of several would have to be locked together in the order of their ids.
    // An order that another process or a command has locked is skipped, and the row is checked again under the lock.
    private async Task<bool> CancelNextAsync(CancellationToken ct)
    {
        await using var scope = scopes.CreateAsyncScope();
        var db = scope.ServiceProvider.GetRequiredService<ShopDbContext>();
        await using var transaction = await db.BeginAsync(ct);
        var expired = db.Orders.FromSql(
            $"""
            SELECT * FROM shop.orders WHERE expires_at <= now()
            ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED
            """);
        if (await expired.Include(order => order.Items).SingleOrDefaultAsync(ct) is not { } order) return false;

        await scope.ServiceProvider.GetRequiredService<OrderReplacement>().CancelAsync(order, ct);
        await transaction.CommitAsync(ct);
        return true;
    }
}
