using ApexShop.Events;

namespace ApexShop.Commands.Api.Categories;

internal static class CategoryRoutes
{
    public static void MapCategories(this IEndpointRouteBuilder app)
    {
        var categories = app.MapGroup("/categories").WithTags(Resources.Categories);
        CreateCategory.Map(categories);
        BulkCreateCategories.Map(categories);
        UpdateCategory.Map(categories);
        BulkUpdateCategories.Map(categories);
        DeleteCategory.Map(categories);
        BulkDeleteCategories.Map(categories);
    }
}
