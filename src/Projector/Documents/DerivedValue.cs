using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>
/// A value of living documents that documents of other kinds show; the first column of the query is the key. A document
/// that is deleted, damaged or not there yet gives no value, so that those that refer to it are still written.
/// </summary>
internal sealed record DerivedValue<T>(KeyedQuery Query, Func<NpgsqlDataReader, T> Read);

/// <summary>Derived values from the tables, by the id of the document that they belong to.</summary>
internal sealed class LoadedValues(StatementBatch statements)
{
    private readonly Dictionary<object, object> loaded = new(ReferenceEqualityComparer.Instance);

    /// <summary>Loads the values of these ids; they are there when the batch has run.</summary>
    public void Load<T>(DerivedValue<T> value, IEnumerable<int> ids)
    {
        var values = new Dictionary<int, T>();
        loaded[value] = values;
        value.Query.AddTo(statements, ids, row => values[row.GetInt32(0)] = value.Read(row));
    }

    public Dictionary<int, T> Of<T>(DerivedValue<T> value) => (Dictionary<int, T>)loaded[value];
}

internal static class DerivedValue
{
    public static readonly DerivedValue<string> CategoryName = new(
        new("id", "SELECT id, name FROM read.categories WHERE @keys AND NOT is_deleted AND name IS NOT NULL"),
        row => row.GetString(1));

    public static readonly DerivedValue<string> ProductName = new(
        new("id", "SELECT id, name FROM read.products WHERE @keys AND NOT is_deleted AND name IS NOT NULL"),
        row => row.GetString(1));

    public static readonly DerivedValue<(string First, string Last)> UserName = new(
        new("id", """
        SELECT id, first_name, last_name FROM read.users
        WHERE @keys AND NOT is_deleted AND first_name IS NOT NULL AND last_name IS NOT NULL
        """),
        row => (row.GetString(1), row.GetString(2)));

    public static readonly DerivedValue<(decimal Average, int Count)> ProductRating = new(
        new("product_id", """
        SELECT product_id, round(ratings::numeric / reviews, 2), reviews FROM read.review_totals
        WHERE @keys AND reviews > 0
        """),
        row => (row.GetDecimal(1), row.GetInt32(2)));

    public static readonly DerivedValue<int> ProductCount = new(
        new("category_id", """
        SELECT category_id, sum(product_count)::integer FROM read.category_segments
        WHERE @keys GROUP BY category_id
        """),
        row => row.GetInt32(1));

    public static readonly DerivedValue<(int Count, decimal Spent)> OrderTotals = new(
        new("customer_id", "SELECT customer_id, orders, spent FROM read.order_totals WHERE @keys AND orders > 0"),
        row => (row.GetInt32(1), row.GetDecimal(2)));
}
