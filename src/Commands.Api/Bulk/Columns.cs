namespace ApexShop.Commands.Api.Bulk;

/// <summary>A list as PostgreSQL's unnest takes it: an array for each column.</summary>
internal static class Columns
{
    public static TValue[] Column<T, TValue>(this IReadOnlyList<T> rows, Func<T, TValue> value) => [.. rows.Select(value)];
}
