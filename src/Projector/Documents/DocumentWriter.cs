using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.ReadModels;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>Reads and writes the documents of one kind, many in one statement.</summary>
internal sealed partial class DocumentWriter<TView>(
    string kind, JsonTypeInfo<TView> json, IReadOnlyList<Column<TView>> columns)
    where TView : class
{
    private readonly KeyedQuery load = new(
        "id", $"SELECT id, version, body FROM {ReadTables.Of(kind)} WHERE @keys AND NOT is_deleted");

    private readonly string put = PutSql(kind, columns);

    /// <summary>
    /// Adds the query for the living documents among the ids; the list is filled when the batch runs. A document whose
    /// body cannot be read is left out: it must not keep other documents from changing. Its id is in the other list.
    /// </summary>
    public List<Document<TView>> Load(
        StatementBatch statements, int[] ids, List<int>? unreadable = null)
    {
        var documents = new List<Document<TView>>(ids.Length);
        load.AddTo(statements, ids, row =>
        {
            if (Read(row) is { } document) documents.Add(document);
            else unreadable?.Add(row.GetInt32(0));
        });
        return documents;
    }

    public byte[] Render(TView view) => JsonSerializer.SerializeToUtf8Bytes(view, json);

    /// <summary>
    /// Adds the write of what is newer than its row, or differs at the same version. The list has the id of each
    /// changed row when the batch has run.
    /// </summary>
    public List<int> Put(StatementBatch statements, IReadOnlyList<Document<TView>> documents)
    {
        var changed = new List<int>(documents.Count);
        if (documents.Count == 0) return changed;
        statements.Add(put, row => changed.Add(row.GetInt32(0)), Parameters(documents));
        return changed;
    }

    /// <summary>Adds the deletion of rows, tombstones too.</summary>
    public void Delete(StatementBatch statements, int[] ids) => statements.Add(
        $"""
        WITH deleted AS (DELETE FROM {ReadTables.Of(kind)} WHERE id = ANY($1) RETURNING id)
        INSERT INTO {ReadTables.Changes} (kind, id, is_removed) SELECT '{kind}', id, true FROM deleted
        ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision, is_removed = true
        """,
        Parameter(ids));

    /// <summary>
    /// Adds the query for the documents to which the columns of these rows refer; each is found when the batch runs.
    /// </summary>
    public void FindReferences(
        StatementBatch statements,
        int[] ids,
        IReadOnlyList<(string Column, string Kind)> references,
        Action<string, int> found)
    {
        foreach (var (column, referred) in references)
        {
            statements.Add(
                $"SELECT {column} FROM {ReadTables.Of(kind)} WHERE id = ANY($1) AND {column} IS NOT NULL",
                row => found(referred, row.GetInt32(0)),
                Parameter(ids));
        }
    }

    /// <summary>The view in a body; null when the body is not the JSON of one.</summary>
    public TView? Parse(byte[] body)
    {
        try
        {
            return JsonSerializer.Deserialize(body, json) is { } view and not IListView { HasNull: true } ? view : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>The arrays of ids, versions and bodies, then one for each column.</summary>
    public NpgsqlParameter[] Parameters(IReadOnlyList<Document<TView>> documents) =>
    [
        Values(documents, document => document.Id),
        Values(documents, document => document.Version),
        Values(documents, document => document.Body),
        .. columns.Select(column => column.Values(documents)),
    ];

    private Document<TView>? Read(NpgsqlDataReader row)
    {
        if (row.IsDBNull(2)) return null;
        var body = row.GetFieldValue<byte[]>(2);
        return Parse(body) is { } view ? new(row.GetInt32(0), row.GetInt64(1), view, body) : null;
    }

    private static NpgsqlParameter Values<T>(IReadOnlyList<Document<TView>> documents, Func<Document<TView>, T> value)
    {
        var values = new T[documents.Count];
        for (var i = 0; i < values.Length; i++) values[i] = value(documents[i]);
        return Parameter(values);
    }

    // The condition makes late, repeated and overtaken events change nothing. Version and tombstone alone decide; at
    // the same version only a living document may change, which is how a denormalised value is written. The revision is
    // the next number of a sequence, by default of its column.
    private static string PutSql(string kind, IReadOnlyList<Column<TView>> columns)
    {
        var names = columns.Select(column => column.Name).ToList();
        var arrays = columns.Select((column, index) => $"${index + 4}::{column.ArrayType}");
        var values = columns.Select(column => $"u.{column.Name}::{column.Type}");
        string[] all = ["version", "is_deleted", .. names, "data", "body"];
        return $"""
            WITH written AS (
                INSERT INTO {ReadTables.Of(kind)} AS t (id, {string.Join(", ", all)})
                SELECT u.id, u.version, u.body IS NULL, {string.Join(", ", values)},
                    convert_from(u.body, 'UTF8')::jsonb, u.body
                FROM unnest($1::integer[], $2::bigint[], $3::bytea[], {string.Join(", ", arrays)})
                    AS u (id, version, body, {string.Join(", ", names)})
                ON CONFLICT (id) DO UPDATE SET revision = excluded.revision,
                    {string.Join(", ", all.Select(name => $"{name} = excluded.{name}"))}
                WHERE t.version < excluded.version
                    OR (t.version = excluded.version AND NOT t.is_deleted
                        AND t.body IS DISTINCT FROM excluded.body)
                RETURNING id, revision)
            INSERT INTO {ReadTables.Changes} (kind, id, revision) SELECT '{kind}', id, revision FROM written
            ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision, is_removed = false
            RETURNING id
            """;
    }
}
