using System.Diagnostics;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Telemetry;
using ApexShop.Errors;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Orders;

/// <summary>Cancels the orders that are Pending after their deadline, in every process.</summary>
internal sealed class OrderExpiry(
    IServiceScopeFactory scopes, TimeProvider clock, IOptions<OrderOptions> options, ILogger<OrderExpiry> logger)
    : BackgroundService
{
    private static readonly ActivitySource spans = new(CommandsMeter.Name);
    private static readonly TimeSpan lateAfter = TimeSpan.FromMinutes(5);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // Also when new orders get no deadline: those that have one keep it. Without any, the index is empty.
        using var timer = new PeriodicTimer(options.Value.ExpiryInterval, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                await CancelAllAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.ExpiryFailed(exception.Reason, exception.Unexpected);
            }
        }
    }

    private async Task CancelAllAsync(CancellationToken ct)
    {
        var (count, failed) = (0, new List<int>());
        while (await CancelNextAsync(failed, ct)) count++;
        if (count > failed.Count) logger.OrdersExpired(count - failed.Count);
    }

    // One order per transaction: the products of several would have to be locked together in the order of their ids.
    // An order that another process or a command has locked is skipped, and the row is checked again under the lock.
    // An order that cannot be cancelled must not stop the others: this run leaves it out. The status is compared too,
    // so that no deadline that is left by mistake cancels an order that was paid. The version alone would prevent a
    // second cancellation, but the process that comes second would report a failure.
    private async Task<bool> CancelNextAsync(List<int> failed, CancellationToken ct)
    {
        await using var scope = scopes.CreateAsyncScope();
        var db = scope.ServiceProvider.GetRequiredService<ShopDbContext>();
        await using var transaction = await db.BeginAsync(ct);
        var expired = await db.Database.SqlQuery<int>(
            $"""
            SELECT id FROM shop.orders WHERE expires_at <= now() AND status = 'Pending' AND id <> ALL ({failed})
            ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED
            """).ToListAsync(ct);
        if (expired is not [var id]) return false;
        // The events and the log lines of the cancellation have its trace id, as those of a request have. A source
        // without a listener starts nothing.
        using var span = spans.StartActivity("expire order") ?? new Activity("expire order").Start();

        try
        {
            await CancelAsync(scope.ServiceProvider, id, ct);
            await transaction.CommitAsync();
        }
        catch (Exception exception) when (!ct.IsCancellationRequested)
        {
            failed.Add(id);
            LogFailure(id, exception);
        }

        return true;
    }

    // The wait for a locked product is short, because the order stays locked and the other expired orders wait. A late
    // order waits as long as a command does: otherwise orders of a product in constant use would never expire.
    private static async Task CancelAsync(IServiceProvider services, int id, CancellationToken ct)
    {
        var db = services.GetRequiredService<ShopDbContext>();
        await db.Database.ExecuteSqlAsync(
            $"""
            SELECT set_config('lock_timeout', '100ms', true) FROM shop.orders
            WHERE id = {id} AND expires_at > now() - {lateAfter}
            """,
            ct);
        var order = await db.Orders.Include(order => order.Items).SingleAsync(order => order.Id == id, ct);
        await services.GetRequiredService<OrderReplacement>().CancelAsync(order, ct);
    }

    private void LogFailure(int id, Exception exception)
    {
        if (exception.GetBaseException() is PostgresException { SqlState: PostgresErrorCodes.LockNotAvailable })
            logger.OrderExpiresLater(id);
        else logger.OrderNotExpired(id, exception.Reason, exception.Unexpected);
    }
}
