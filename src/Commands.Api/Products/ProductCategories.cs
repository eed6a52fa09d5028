using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Products;

/// <summary>Keeps the categories that a list of products names until the transaction ends, or says which there are not.</summary>
internal static class ProductCategories
{
    public static async Task<Problem?> HoldAsync(
        ShopDbContext db, IReadOnlyList<ProductInput.Body> items, int first, CancellationToken ct)
    {
        var known = await db.HoldAsync(Resource.Categories.Name, items.Select(item => item.CategoryId!.Value), ct);
        var errors = new ItemErrors(first);
        errors.AddUnknown(items, "categoryId", "category", item => item.CategoryId!.Value, known);
        return errors.Any
            ? errors.ToProblem(StatusCodes.Status409Conflict, "product.category_unknown", "A product's category does not exist.")
            : null;
    }
}
