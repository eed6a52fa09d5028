using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Categories;

/// <summary>Categories as rows of COPY.</summary>
internal static class CategoryRows
{
    private const string Columns = "id, name, description, is_active, created_date, version";

    public static CopyTable<CategoryState> Table { get; } = new(
        Resource.Categories.Name, "shop.category_ids", EventTypes.CategoryCreated, EventJson.Wire.CategoryState,
        new CopyTarget<CategoryState>("shop.categories", Columns, Write));

    private static void Write(CopyBuffer buffer, CategoryState category) => buffer.Row()
        .Integer(category.Id).Text(category.Name).Text(category.Description).Boolean(category.IsActive)
        .Timestamp(category.CreatedDate).Bigint(category.Version);
}
