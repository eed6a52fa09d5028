using ApexShop.Projector.Users;
using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Where documents find what they show of other kinds.</summary>
internal interface IDerivedValueSource
{
    /// <summary>The values of these ids, and possibly of others.</summary>
    Dictionary<int, T> Ask<T>(DerivedValue<T> lookup, IEnumerable<int> ids);
}

/// <summary>
/// A value of one kind's living rows that other kinds show; the first column is the id. What is deleted, not known yet
/// or damaged answers nothing, so that whatever refers to it shows no name, and is not kept from being written.
/// </summary>
internal sealed record DerivedValue<T>(KeyedQuery Query, Func<NpgsqlDataReader, T> Value)
{
    /// <summary>Asks for the values; the dictionary is filled when the round runs.</summary>
    public Dictionary<int, T> Ask(StatementBatch statements, IEnumerable<int> ids)
    {
        var values = new Dictionary<int, T>();
        Query.Ask(statements, ids, row => values[row.GetInt32(0)] = Value(row));
        return values;
    }
}

internal static class DerivedValues
{
    public static readonly DerivedValue<string> CategoryNames = new(
        new("id", "SELECT id, name FROM read.categories WHERE @keys AND NOT is_deleted AND name IS NOT NULL"), row => row.GetString(1));

    public static readonly DerivedValue<string> ProductNames = new(
        new("id", "SELECT id, name FROM read.products WHERE @keys AND NOT is_deleted AND name IS NOT NULL"), row => row.GetString(1));

    public static readonly DerivedValue<(string First, string Last)> UserNames = new(
        new("id", """
        SELECT id, first_name, last_name FROM read.users
        WHERE @keys AND NOT is_deleted AND first_name IS NOT NULL AND last_name IS NOT NULL
        """),
        row => (row.GetString(1), row.GetString(2)));

    public static readonly DerivedValue<(decimal Average, int Count)> Ratings = new(
        new("product_id", """
        SELECT product_id, round(avg(rating), 2), count(*)::integer FROM read.reviews
        WHERE @keys AND NOT is_deleted AND rating IS NOT NULL GROUP BY product_id
        """),
        row => (row.GetDecimal(1), row.GetInt32(2)));

    public static readonly DerivedValue<int> ProductCounts = new(
        new("category_id", """
        SELECT category_id, sum(product_count)::integer FROM read.category_segments
        WHERE @keys GROUP BY category_id
        """),
        row => row.GetInt32(1));

    public static readonly DerivedValue<(int Count, decimal Spent)> OrderTotals = new(
        new("customer_id", """
        SELECT customer_id, count(*)::integer, coalesce(sum(total_amount) FILTER (
            WHERE status <> 'Cancelled' AND total_amount <> 'NaN'), 0)
        FROM read.orders WHERE @keys AND NOT is_deleted GROUP BY customer_id
        """),
        row => (row.GetInt32(1), row.GetDecimal(2)));
}
