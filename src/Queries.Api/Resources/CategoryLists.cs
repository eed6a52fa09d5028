namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of categories, of which a shop has few.</summary>
internal static class CategoryLists
{
    public static IReadOnlyList<Sort> Sorts { get; } =
        [Sort.Id, Sort.Up("name", "name COLLATE \"C\"", ValueKind.AnyText)];

    public static IReadOnlyList<Filter> Filters { get; } =
        [new("isActive", ValueKind.Flag, Condition.Common("is_active"), Condition.Search("NOT is_active"))];
}
