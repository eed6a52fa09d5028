using ApexShop.Resources;

namespace ApexShop.Commands.Api.Products;

internal static class ProductRoutes
{
    public static void MapProducts(this IEndpointRouteBuilder app)
    {
        var products = app.MapGroup("/products").WithTags(Resource.Products.Name);
        CreateProduct.Map(products);
        BulkCreateProducts.Map(products);
        UpdateProduct.Map(products);
        PatchProduct.Map(products);
        BulkUpdateProducts.Map(products);
        DeleteProduct.Map(products);
        BulkDeleteProducts.Map(products);
        SetStock.Map(products);
        SetStockByCategory.Map(products);
    }
}
