using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>
/// A query for the rows of many keys, which are its first column; <c>@keys</c> in the text is the condition. Keys close
/// together, as those of a bulk command are, become one range: a single scan of the index instead of a lookup for each
/// key.
/// </summary>
internal sealed class KeyedQuery(string column, string sql)
{
    // A range may hold at most this many keys for each that is wanted.
    private const int Spread = 2;

    private readonly string each = sql.Replace("@keys", $"{column} = ANY($1)", StringComparison.Ordinal);
    private readonly string range = sql.Replace("@keys", $"{column} BETWEEN $1 AND $2", StringComparison.Ordinal);

    public override string ToString() => sql;

    /// <summary>
    /// Adds the query; <paramref name="row"/> is called for the rows of these keys only, <paramref name="read"/> for
    /// every row.
    /// </summary>
    public void AddTo(
        StatementBatch statements, IEnumerable<int> keys, Action<NpgsqlDataReader> row, Action? read = null)
    {
        int[] wanted = [.. keys.Distinct().Order()];
        if (wanted.Length == 0) return;

        var (first, last) = (wanted[0], wanted[^1]);
        if ((long)last - first >= (long)wanted.Length * Spread)
        {
            statements.Add(each, Row, Parameter(wanted));
            return;
        }

        statements.Add(range, RowInRange, Parameter(first), Parameter(last));

        void Row(NpgsqlDataReader reader)
        {
            read?.Invoke();
            row(reader);
        }

        void RowInRange(NpgsqlDataReader reader)
        {
            read?.Invoke();
            if (Array.BinarySearch(wanted, reader.GetInt32(0)) >= 0) row(reader);
        }
    }
}
