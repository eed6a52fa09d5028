namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of categories; a shop has few of them.</summary>
internal static class CategoryLists
{
    public static IReadOnlyList<Sort> Sorts { get; } = [Sort.Id, Sort.ByName];

    public static IReadOnlyList<Filter> Filters { get; } =
        [new("isActive", ValueKind.Flag, Condition.Common("is_active"), Condition.Search("NOT is_active"))];
}
