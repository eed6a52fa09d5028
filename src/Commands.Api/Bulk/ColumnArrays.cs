namespace ApexShop.Commands.Api.Bulk;

/// <summary>A list as arguments of PostgreSQL's unnest: an array for each column.</summary>
internal static class ColumnArrays
{
    public static int[] Ids<T>(this IReadOnlyList<T> items)
        where T : IReplacementItem => items.Column(item => item.Id!.Value);

    public static TValue[] Column<T, TValue>(this IReadOnlyList<T> items, Func<T, TValue> value) =>
        [.. items.Select(value)];
}
