using Npgsql;

namespace ApexShop.Projector.ReadModels;

/// <summary>A value of one kind's living rows that documents of another kind show, by id.</summary>
internal sealed record Lookup<T>(string Sql, Func<NpgsqlDataReader, T> Value);

internal static class Lookup
{
    public static readonly Lookup<string> CategoryNames = new(
        "SELECT id, name FROM read.categories WHERE id = ANY($1) AND NOT is_deleted", row => row.GetString(1));

    public static readonly Lookup<string> ProductNames = new(
        "SELECT id, name FROM read.products WHERE id = ANY($1) AND NOT is_deleted", row => row.GetString(1));

    public static readonly Lookup<(string First, string Last)> UserNames = new(
        "SELECT id, first_name, last_name FROM read.users WHERE id = ANY($1) AND NOT is_deleted",
        row => (row.GetString(1), row.GetString(2)));

    public static readonly Lookup<(decimal Average, int Count)> Ratings = new(
        """
        SELECT product_id, round(avg(rating), 2), count(*)::integer FROM read.reviews
        WHERE product_id = ANY($1) AND NOT is_deleted GROUP BY product_id
        """,
        row => (row.GetDecimal(1), row.GetInt32(2)));

    public static readonly Lookup<int> ProductCounts = new(
        """
        SELECT category_id, sum(product_count)::integer FROM read.category_segments
        WHERE category_id = ANY($1) GROUP BY category_id
        """,
        row => row.GetInt32(1));

    public static readonly Lookup<(int Count, decimal Spent)> OrderTotals = new(
        """
        SELECT customer_id, count(*)::integer, coalesce(sum(total_amount) FILTER (WHERE status <> 'Cancelled'), 0)
        FROM read.orders WHERE customer_id = ANY($1) AND NOT is_deleted GROUP BY customer_id
        """,
        row => (row.GetInt32(1), row.GetDecimal(2)));

    public static async Task<Dictionary<int, T>> OneAsync<T>(
        NpgsqlConnection connection, Lookup<T> lookup, IEnumerable<int> ids, CancellationToken ct)
    {
        await using var batch = new NpgsqlBatch(connection) { BatchCommands = { Command(lookup, ids) } };
        await using var reader = await batch.ExecuteReaderAsync(ct);
        return await ReadAsync(reader, lookup, ct);
    }

    /// <summary>Two lookups in one round trip.</summary>
    public static async Task<(Dictionary<int, TFirst> First, Dictionary<int, TSecond> Second)> TwoAsync<TFirst, TSecond>(
        NpgsqlConnection connection,
        (Lookup<TFirst> Lookup, IEnumerable<int> Ids) first,
        (Lookup<TSecond> Lookup, IEnumerable<int> Ids) second,
        CancellationToken ct)
    {
        await using var batch = new NpgsqlBatch(connection)
        {
            BatchCommands = { Command(first.Lookup, first.Ids), Command(second.Lookup, second.Ids) },
        };
        await using var reader = await batch.ExecuteReaderAsync(ct);
        var values = await ReadAsync(reader, first.Lookup, ct);
        await reader.NextResultAsync(ct);
        return (values, await ReadAsync(reader, second.Lookup, ct));
    }

    private static NpgsqlBatchCommand Command<T>(Lookup<T> lookup, IEnumerable<int> ids) => new(lookup.Sql)
    {
        Parameters = { new NpgsqlParameter<int[]> { TypedValue = ids.Distinct().ToArray() } },
    };

    private static async Task<Dictionary<int, T>> ReadAsync<T>(NpgsqlDataReader reader, Lookup<T> lookup, CancellationToken ct)
    {
        var values = new Dictionary<int, T>();
        while (await reader.ReadAsync(ct)) values[reader.GetInt32(0)] = lookup.Value(reader);
        return values;
    }
}
