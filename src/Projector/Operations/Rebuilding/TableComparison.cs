using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Compares the new documents with those in use, as queries show these, in all columns but the revision. The tables in
/// use change meanwhile, so the documents that differ, usually few, are compared again under the lock.
/// </summary>
internal sealed class TableComparison(NpgsqlConnection connection, RebuildProgress progress)
{
    // More documents than this are not compared again: their approximate number is enough.
    private const int MostComparedAgain = 10_000;

    private readonly Dictionary<string, int[]> found = [];

    /// <summary>Compares all documents, without a lock.</summary>
    public async Task CompareAsync(CancellationToken ct)
    {
        foreach (var resource in Resource.Names)
        {
            var (before, differing, lowest) = await DifferingAsync(resource, null, ct);
            found[resource] = lowest;
            progress.Compared(resource, before, differing, lowest);
        }
    }

    /// <summary>Compares those that differed again, when both tables are at the same position.</summary>
    public async Task CompareAgainAsync(CancellationToken ct)
    {
        foreach (var (resource, ids) in found)
        {
            if (ids.Length is 0 or > MostComparedAgain) continue;
            var (_, differing, lowest) = await DifferingAsync(resource, ids, ct);
            progress.Compared(resource, null, differing, lowest);
        }
    }

    private async Task<(long Before, long Differing, int[] Lowest)> DifferingAsync(
        string resource, int[]? ids, CancellationToken ct)
    {
        var columns = await ColumnsAsync(resource, ct);
        await using var command = new NpgsqlCommand(Sql(resource, columns, ids is not null), connection);
        if (ids is not null) command.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = ids });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return (row.GetInt64(0), row.GetInt64(1), row.GetFieldValue<int[]>(2));
    }

    private async Task<string[]> ColumnsAsync(string resource, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(
            """
            SELECT array_agg(quote_ident(attname)) FROM pg_attribute
            WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'revision'
            """, connection);
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = ReadTables.Of(resource) });
        return (string[])(await command.ExecuteScalarAsync(ct))!;
    }

    private static string Sql(string resource, string[] columns, bool isOfIds)
    {
        var living = isOfIds ? "NOT is_deleted AND id = ANY($1)" : "NOT is_deleted";
        return $"""
            WITH differing AS MATERIALIZED (
                SELECT coalesce(o.id, n.id) AS id
                FROM (SELECT *, {PendingNames.Body(resource)} AS shown_body
                    FROM {ReadTables.Of(resource)} WHERE {living}) o
                FULL JOIN (SELECT * FROM {RebuiltTables.Next}.{resource} WHERE {living}) n ON n.id = o.id
                WHERE ({string.Join(", ", columns.Select(Shown))})
                    IS DISTINCT FROM ({string.Join(", ", columns.Select(column => $"n.{column}"))}))
            SELECT (SELECT count(*) FROM {ReadTables.Of(resource)} WHERE {living}), (SELECT count(*) FROM differing),
                ARRAY(SELECT id FROM differing ORDER BY id LIMIT {MostComparedAgain + 1})
            """;
    }

    private static string Shown(string column) => column switch
    {
        "body" => $"o.shown_{column}",
        "data" => "CASE o.shown_body WHEN o.body THEN o.data WHEN n.body THEN n.data END",
        _ => $"o.{column}",
    };
}
