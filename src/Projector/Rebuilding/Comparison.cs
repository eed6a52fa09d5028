using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Rebuilding;

/// <summary>
/// How the new documents differ from those in use, column by column; only the revision, which says when and not what, may.
/// As those in use move on meanwhile, what is found is looked at again when nothing moves: a second look at few rows.
/// </summary>
internal sealed class Comparison(NpgsqlConnection connection, RebuildProgress progress)
{
    // So many are looked at again; of more it is enough to know about how many they are.
    private const int MostLookedAtAgain = 10_000;

    private readonly Dictionary<string, int[]> found = [];

    /// <summary>Compares all documents, without holding up anybody.</summary>
    public async Task LookAsync(CancellationToken ct)
    {
        foreach (var resource in Resource.Names)
        {
            var (before, differing) = await AskAsync(resource, null, ct);
            found[resource] = differing;
            progress.Compared(resource, before, differing);
        }
    }

    /// <summary>Compares again what was different, when both are at the same position.</summary>
    public async Task LookAgainAsync(CancellationToken ct)
    {
        foreach (var (resource, ids) in found)
        {
            if (ids.Length is 0 or > MostLookedAtAgain) continue;
            progress.Compared(resource, null, (await AskAsync(resource, ids, ct)).Differing);
        }
    }

    private async Task<(long Before, int[] Differing)> AskAsync(string resource, int[]? ids, CancellationToken ct)
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

    private static string Sql(string resource, string[] columns, bool isOfSome)
    {
        var living = isOfSome ? "NOT is_deleted AND id = ANY($1)" : "NOT is_deleted";
        return $"""
            SELECT count(o.id), coalesce(array_agg(coalesce(o.id, n.id)) FILTER (WHERE
                ({string.Join(", ", columns.Select(column => $"o.{column}"))})
                IS DISTINCT FROM ({string.Join(", ", columns.Select(column => $"n.{column}"))})), ARRAY[]::integer[])
            FROM (SELECT * FROM {ReadTables.Of(resource)} WHERE {living}) o
            FULL JOIN (SELECT * FROM {RebuiltTables.Next}.{resource} WHERE {living}) n ON n.id = o.id
            """;
    }
}
