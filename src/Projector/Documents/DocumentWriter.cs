using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Reads and writes the documents of one kind, many in one statement.</summary>
internal sealed class DocumentWriter<TView>(string kind, JsonTypeInfo<TView> json, IReadOnlyList<Column<TView>> columns)
    where TView : class
{
    private readonly KeyedQuery load =
        new("id", $"SELECT id, version, revision, body FROM {ReadTables.Of(kind)} WHERE @keys AND NOT is_deleted");

    private readonly string put = PutSql(kind, columns);

    /// <summary>
    /// Asks for the living documents among the ids; the list is filled when the round runs. A body that was damaged is
    /// as good as none: what it said is not known, and it must not keep other documents from changing.
    /// </summary>
    public List<Document<TView>> Load(StatementBatch statements, int[] ids)
    {
        var documents = new List<Document<TView>>(ids.Length);
        load.Ask(statements, ids, row =>
        {
            if (Read(row) is { } document) documents.Add(document);
        });
        return documents;
    }

    public byte[] Render(TView view) => JsonSerializer.SerializeToUtf8Bytes(view, json);

    /// <summary>Writes what is newer than its row, or differs at the same version, and names each row changed.</summary>
    public void Put(StatementBatch statements, IReadOnlyList<Document<TView>> documents, Action<int> changed)
    {
        if (documents.Count == 0) return;
        statements.Add(put, row => changed(row.GetInt32(0)), Parameters(documents));
    }

    /// <summary>Fills an empty table that was made in the same transaction, which alone may freeze what it copies.</summary>
    public async Task CopyAsync(
        NpgsqlConnection connection, string schema, IEnumerable<Document<TView>> documents, CancellationToken ct)
    {
        var names = string.Join(", ", columns.Select(column => column.Name));
        await using var rows = await connection.BeginBinaryImportAsync(
            $"COPY {schema}.{kind} (id, version, revision, is_deleted, {names}, data, body) FROM STDIN (FORMAT BINARY, FREEZE)", ct);
        foreach (var document in documents)
        {
            await rows.StartRowAsync(ct);
            await rows.WriteAsync(document.Id, ct);
            await rows.WriteAsync(document.Version, ct);
            await rows.WriteAsync(document.Revision, ct);
            await rows.WriteAsync(document.Body is null, ct);
            foreach (var column in columns) await WriteAsync(rows, document.View is { } view ? column.Of(view) : null, column.Type, ct);
            await WriteAsync(rows, document.Body, "jsonb", ct);
            await WriteAsync(rows, document.Body, "bytea", ct);
        }

        await rows.CompleteAsync(ct);
    }

    /// <summary>Deletes rows, tombstones too; tells the revision of each, and the documents that its columns name.</summary>
    public void Delete(
        StatementBatch statements, int[] ids, IReadOnlyList<(string Column, string Kind)> referring, Action<long> revision, Action<string, int> named)
    {
        var shown = string.Join(", ", referring.Select(reference => reference.Column).Prepend("revision"));
        statements.Add($"DELETE FROM {ReadTables.Of(kind)} WHERE id = ANY($1) RETURNING {shown}", Row, StatementBatch.Parameter(ids));

        void Row(NpgsqlDataReader row)
        {
            revision(row.GetInt64(0));
            for (var i = 0; i < referring.Count; i++)
            {
                if (!row.IsDBNull(i + 1)) named(referring[i].Kind, row.GetInt32(i + 1));
            }
        }
    }

    /// <summary>The view that a body is the JSON of; null where it is of none.</summary>
    public TView? Parse(byte[] body)
    {
        try
        {
            return JsonSerializer.Deserialize(body, json);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>Ids, versions, revisions and bodies, then the values of each column.</summary>
    public NpgsqlParameter[] Parameters(IReadOnlyList<Document<TView>> documents) =>
    [
        Values(documents, document => document.Id),
        Values(documents, document => document.Version),
        Values(documents, document => document.Revision),
        Values(documents, document => document.Body),
        .. columns.Select(column => column.Values(documents)),
    ];

    private Document<TView>? Read(NpgsqlDataReader row)
    {
        if (row.IsDBNull(3)) return null;
        var body = row.GetFieldValue<byte[]>(3);
        return Parse(body) is { } view ? new(row.GetInt32(0), row.GetInt64(1), row.GetInt64(2), view, body) : null;
    }
    private static Task WriteAsync(NpgsqlBinaryImporter rows, object? value, string type, CancellationToken ct) =>
        value is null ? rows.WriteNullAsync(ct) : rows.WriteAsync(value, type, ct);

    private static NpgsqlParameter Values<T>(IReadOnlyList<Document<TView>> documents, Func<Document<TView>, T> value)
    {
        var values = new T[documents.Count];
        for (var i = 0; i < values.Length; i++) values[i] = value(documents[i]);
        return StatementBatch.Parameter(values);
    }

    // The guard makes late, doubled and overtaken events change nothing. Version and tombstone decide it alone; at the
    // same version only a living document may change, which is how a denormalised value gets in. A revision never goes
    // back nor stands for two bodies: batches of different resources may come in another order than that of the log.
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
            ON CONFLICT (id) DO UPDATE SET revision = greatest(excluded.revision, t.revision + 1),
                {string.Join(", ", all.Where(name => name != "revision").Select(name => $"{name} = excluded.{name}"))}
            WHERE t.version < excluded.version
                OR (t.version = excluded.version AND NOT t.is_deleted AND t.body IS DISTINCT FROM excluded.body)
            RETURNING id
            """;
    }
}
