using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Users;

namespace ApexShop.Commands.Api.Orders;

/// <summary>Takes the quantities of an order from stock and locks its user, in one round trip.</summary>
internal sealed class OrderReservation(ShopDbContext db, StockReservation stock)
{
    /// <summary>The products, or why nothing was taken; the user, or null if there is none.</summary>
    public async Task<(Result<IReadOnlyList<ReservedProduct>> Products, LockedUser? User)> ReserveAsync(
        IReadOnlyList<ProductQuantity> lines, int userId, CancellationToken ct)
    {
        await using var batch = db.CreateBatch([.. stock.Commands(lines), UserLock.Command(userId)]);
        await using var rows = await batch.ExecuteReaderAsync(ct);
        var products = await stock.ReadAsync(rows, lines, ct);
        await rows.NextResultAsync(ct);
        return (products, await UserLock.ReadAsync(rows, ct));
    }
}
