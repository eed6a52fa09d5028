using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.ReadModels;

/// <summary>Reads and writes the documents of one kind, many in one statement.</summary>
internal sealed class DocumentWriter<TView>(string kind, JsonTypeInfo<TView> json, IReadOnlyList<Column<TView>> columns)
    where TView : class
{
    private readonly string load =
        $"SELECT id, version, revision, body FROM {ReadTables.Of(kind)} WHERE id = ANY($1) AND NOT is_deleted";

    private readonly string put = PutSql(kind, columns);

    /// <summary>The living documents among the ids.</summary>
    public async Task<List<Document<TView>>> LoadAsync(NpgsqlConnection connection, int[] ids, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(load, connection)
        {
            Parameters = { new NpgsqlParameter<int[]> { TypedValue = ids } },
        };
        await using var reader = await command.ExecuteReaderAsync(ct);
        var documents = new List<Document<TView>>(ids.Length);
        while (await reader.ReadAsync(ct))
        {
            var body = reader.GetFieldValue<byte[]>(3);
            var view = JsonSerializer.Deserialize(body, json);
            documents.Add(new(reader.GetInt32(0), reader.GetInt64(1), reader.GetInt64(2), view, body));
        }

        return documents;
    }

    public byte[] Render(TView view) => JsonSerializer.SerializeToUtf8Bytes(view, json);

    /// <summary>Writes what is newer than the stored rows, or differs at the same version; answers whose row changed.</summary>
    public async Task<HashSet<int>> PutAsync(
        NpgsqlConnection connection, IReadOnlyList<Document<TView>> documents, CancellationToken ct)
    {
        var changed = new HashSet<int>();
        if (documents.Count == 0) return changed;

        await using var command = new NpgsqlCommand(put, connection);
        command.Parameters.Add(Values(documents, document => document.Id));
        command.Parameters.Add(Values(documents, document => document.Version));
        command.Parameters.Add(Values(documents, document => document.Revision));
        command.Parameters.Add(Values(documents, document => document.Body));
        foreach (var column in columns) command.Parameters.Add(column.Values(documents));
        await using var reader = await command.ExecuteReaderAsync(ct);
        while (await reader.ReadAsync(ct)) changed.Add(reader.GetInt32(0));
        return changed;
    }

    private static NpgsqlParameter<T[]> Values<T>(IReadOnlyList<Document<TView>> documents, Func<Document<TView>, T> value)
    {
        var values = new T[documents.Count];
        for (var i = 0; i < values.Length; i++) values[i] = value(documents[i]);
        return new() { TypedValue = values };
    }

    // The guard makes late, doubled and overtaken events change nothing. Version and tombstone decide it alone; at the
    // same version only a living document may change, which is how a denormalised value gets in.
    private static string PutSql(string kind, IReadOnlyList<Column<TView>> columns)
    {
        var names = columns.Select(column => column.Name).ToList();
        var arrays = columns.Select((column, index) => $"${index + 5}::{column.ArrayType}");
        var values = columns.Select(column => $"u.{column.Name}::{column.Type}");
        string[] all = ["version", "revision", "is_deleted", .. names, "data", "body"];
        return $"""
            INSERT INTO {ReadTables.Of(kind)} AS t (id, {string.Join(", ", all)})
            SELECT u.id, u.version, u.revision, u.body IS NULL, {string.Join(", ", values)},
                convert_from(u.body, 'UTF8')::jsonb, u.body
            FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bytea[], {string.Join(", ", arrays)})
                AS u (id, version, revision, body, {string.Join(", ", names)})
            ON CONFLICT (id) DO UPDATE SET {string.Join(", ", all.Select(name => $"{name} = excluded.{name}"))}
            WHERE t.version < excluded.version
                OR (t.version = excluded.version AND NOT t.is_deleted AND t.body IS DISTINCT FROM excluded.body)
            RETURNING id
            """;
    }
}
