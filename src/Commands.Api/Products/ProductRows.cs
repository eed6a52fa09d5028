using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Products;

/// <summary>Products as rows of COPY.</summary>
internal static class ProductRows
{
    private const string Columns =
        "id, name, description, price, stock, is_active, is_featured, category_id, created_date, updated_date, "
        + "version, sku, slug, images";

    public static CopyTable<ProductState> Table { get; } = new(
        Resource.Products.Name, "shop.product_ids", EventTypes.ProductCreated, EventJson.Wire.ProductState,
        new CopyTarget<ProductState>("shop.products", Columns, Write))
    {
        InsertOrder = (one, other) => string.CompareOrdinal(one.Sku, other.Sku) is var order and not 0
            ? order
            : string.CompareOrdinal(one.Slug, other.Slug),
    };

    private static void Write(CopyBuffer buffer, ProductState product) => buffer.Row()
        .Integer(product.Id).Text(product.Name).Text(product.Description).Money(product.Price).Integer(product.Stock)
        .Boolean(product.IsActive).Boolean(product.IsFeatured).Integer(product.CategoryId)
        .Timestamp(product.CreatedDate).Timestamp(product.UpdatedDate).Bigint(product.Version)
        .Text(product.Sku).Text(product.Slug).Text(ProductImages.Write(product.Images!));
}
