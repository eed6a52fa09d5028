using System.Globalization;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Products;

/// <summary>The problem of a replacement that has another stock than the product, but not its version.</summary>
internal static class StockVersion
{
    private const string Code = "stock.version_required";

    public static Problem Required(Product product) => new(
        StatusCodes.Status428PreconditionRequired,
        Code,
        string.Create(
            CultureInfo.InvariantCulture,
            $"The stock is {product.Stock} at version {product.Version}. Send that version in If-Match, omit stock, or "
            + $"use PATCH /products/{product.Id}/stock."))
    {
        Extensions = { ["stock"] = product.Stock, ["version"] = product.Version },
    };

    public static Problem? Required(
        IReadOnlyList<ProductInput.Item> items, Dictionary<int, Product> current, int first)
    {
        var (errors, refused) = (new ItemErrors(first), new List<Product>());
        for (var i = 0; i < items.Count; i++)
        {
            var product = current[items[i].Id!.Value];
            if (items[i].Version is not null || !product.DiffersInStock(items[i])) continue;
            if (!errors.Full) refused.Add(product);
            errors.Add(i, "version", $"The stock is {product.Stock} at version {product.Version}.");
        }

        if (!errors.Any) return null;
        var problem = errors.ToProblem(
            StatusCodes.Status428PreconditionRequired,
            Code,
            "Another stock needs the item's version. Send it, omit stock, or use PATCH /products/{id}/stock.");
        problem.Extensions["current"] = refused.Select(product => new Saved(product.Id, product.Version)).ToList();
        problem.Extensions["products"] =
            refused.Select(product => new { product.Id, product.Name, product.Stock }).ToList<object>();
        return problem;
    }
}
