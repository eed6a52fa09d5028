using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Compares the new documents with those in use, in all columns but the revision. The tables in use change meanwhile,
/// so the documents that differ, usually few, are compared again under the lock.
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
            var (before, differing) = await DifferingAsync(resource, null, ct);
            found[resource] = differing;
            progress.Compared(resource, before, differing);
        }
    }

    /// <summary>Compares those that differed again, when both tables are at the same position.</summary>
    public async Task CompareAgainAsync(CancellationToken ct)
    {
        foreach (var (resource, ids) in found)
        {
            if (ids.Length is 0 or > MostComparedAgain) continue;
            progress.Compared(resource, null, (await DifferingAsync(resource, ids, ct)).Differing);
        }
    }

    private async Task<(long Before, int[] Differing)> DifferingAsync(string resource, int[]? ids, CancellationToken ct)
    {
        var columns = await ColumnsAsync(resource, ct);
        await using var command = new NpgsqlCommand(Sql(resource, columns, ids is not null), connection);
        if (ids is not null) command.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = ids });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return (row.GetInt64(0), row.GetFieldValue<int[]>(1));
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
            SELECT count(o.id), coalesce(array_agg(coalesce(o.id, n.id)) FILTER (WHERE
                ({string.Join(", ", columns.Select(column => $"o.{column}"))})
                IS DISTINCT FROM ({string.Join(", ", columns.Select(column => $"n.{column}"))})), ARRAY[]::integer[])
            FROM (SELECT * FROM {ReadTables.Of(resource)} WHERE {living}) o
            FULL JOIN (SELECT * FROM {RebuiltTables.Next}.{resource} WHERE {living}) n ON n.id = o.id
            """;
    }
}
