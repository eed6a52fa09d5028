using System.Globalization;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// How much one customer can reserve without paying: so many Pending orders with a deadline, and in each so many
/// pieces of each product. This may be the whole stock of a product of which there are few pieces. Orders that are
/// created at the same moment do not count each other.
/// </summary>
internal sealed class PendingOrderLimit(
    ShopDbContext db, Actor actor, IHttpContextAccessor requests, IOptions<OrderOptions> options)
{
    private const string RetryAfterSeconds = "60";

    /// <summary>The refusal of too many pieces of a product, or null. An API key is not limited.</summary>
    /// <param name="lines">The items, those of the same product combined.</param>
    /// <param name="products">Those of the items: the refusal names the first item of the product.</param>
    public Problem? CheckQuantities(IReadOnlyList<ProductQuantity> lines, IEnumerable<int> products)
    {
        if (!actor.IsCustomer) return null;
        var most = options.Value.QuantityOfCustomer;
        if (lines.FirstOrDefault(line => line.Quantity > most) is not { } tooMany) return null;
        var first = products.TakeWhile(product => product != tooMany.ProductId).Count();
        return Problem.Invalid(
            $"items{JsonPath.OfItem(first)}.quantity",
            string.Create(CultureInfo.InvariantCulture, $"A customer may order at most {most} pieces of a product."));
    }

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
