using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Products;

/// <summary>
/// Locks the categories of a list of products until the transaction ends, and reports those that do not exist.
/// </summary>
internal static class ProductCategories
{
    public static async Task<Problem?> LockAsync(
        ShopDbContext db, IReadOnlyList<int> ids, int first, CancellationToken ct)
    {
        var known = await db.LockForKeyShareAsync(Resource.Categories.Name, ids, ct);
        var errors = new ItemErrors(first);
        errors.AddUnknown(ids, "categoryId", "category", id => id, known.Contains);
        if (!errors.Any) return null;
        return errors.ToProblem(
            StatusCodes.Status409Conflict, "product.category_unknown", "A product's category does not exist.");
    }
}
