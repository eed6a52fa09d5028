using System.Globalization;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// How many Pending orders with a deadline a customer may have: without a limit, one customer could reserve the whole
/// stock and pay for nothing. Orders that are created at the same moment do not count each other.
/// </summary>
internal sealed class PendingOrderLimit(
    ShopDbContext db, Actor actor, IHttpContextAccessor requests, IOptions<OrderOptions> options)
{
    private const string RetryAfterSeconds = "60";

    /// <summary>The refusal of one more order, or null. An API key is not limited.</summary>
    public async Task<Problem?> CheckAsync(int userId, CancellationToken ct)
    {
        if (!actor.IsCustomer) return null;
        var most = options.Value.PendingOfCustomer;
        var pending = await db.Orders.Where(order => order.UserId == userId && order.ExpiresAt != null)
            .Take(most).CountAsync(ct);
        if (pending < most) return null;
        requests.HttpContext!.Response.Headers.RetryAfter = RetryAfterSeconds;
        return Problem.Of(StatusCodes.Status429TooManyRequests) with
        {
            Detail = string.Create(
                CultureInfo.InvariantCulture,
                $"A customer may have {most} Pending orders; try again when one is paid, cancelled or expired."),
        };
    }
}
