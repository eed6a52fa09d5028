using ApexShop.Resources;

namespace ApexShop.Commands.Api.Categories;

internal static class CategoryRoutes
{
    public static void MapCategories(this IEndpointRouteBuilder app)
    {
        var categories = app.MapGroup("/categories").WithTags(Resource.Categories.Name);
        CreateCategory.Map(categories);
        BulkCreateCategories.Map(categories);
        UpdateCategory.Map(categories);
        PatchCategory.Map(categories);
        BulkUpdateCategories.Map(categories);
        DeleteCategory.Map(categories);
        BulkDeleteCategories.Map(categories);
    }
}
