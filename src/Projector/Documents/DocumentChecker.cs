using System.Text.Json.Serialization.Metadata;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Documents;

/// <summary>A row as it is stored; the view is null when the body cannot be read.</summary>
internal sealed record StoredDocument<TView>(int Id, long Version, bool IsDeleted, TView? View)
    where TView : class;

/// <summary>Reads rows of one kind and compares their columns with their bodies.</summary>
internal sealed class DocumentChecker<TView>(
    string kind, JsonTypeInfo<TView> json, IReadOnlyList<Column<TView>> columns)
    where TView : class
{
    private readonly KeyedQuery read =
        new("id", $"SELECT id, version, is_deleted, body FROM {ReadTables.Of(kind)} WHERE @keys");

    private readonly KeyedQuery readShown = new(
        "id", $"SELECT id, version, is_deleted, {PendingNames.Body(kind)} FROM {ReadTables.Of(kind)} WHERE @keys");

    private readonly DocumentWriter<TView> documents = new(kind, json, columns);
    private readonly string compare = CompareSql(kind, columns);

    /// <summary>
    /// Adds the query for the rows, tombstones too, for derived values with the names that are pending; the list is
    /// filled when the batch runs.
    /// </summary>
    public List<StoredDocument<TView>> Read(StatementBatch statements, int[] ids, CheckedPart part)
    {
        var rows = new List<StoredDocument<TView>>(ids.Length);
        (part == CheckedPart.Derived ? readShown : read).AddTo(statements, ids, row =>
        {
            var view = row.IsDBNull(3) ? null : documents.Parse(row.GetFieldValue<byte[]>(3));
            rows.Add(new(row.GetInt32(0), row.GetInt64(1), row.GetBoolean(2), view));
        });
        return rows;
    }

    /// <summary>
    /// Adds the comparison of rows with what is expected of them. The list has the wrong columns of each row that
    /// differs when the batch has run.
    /// </summary>
    public List<(int Id, string[] Columns)> Compare(StatementBatch statements, IReadOnlyList<Document<TView>> expected)
    {
        var wrong = new List<(int Id, string[] Columns)>();
        if (expected.Count > 0)
        {
            statements.Add(
                compare,
                row => wrong.Add((row.GetInt32(0), row.GetFieldValue<string[]>(1))),
                documents.Parameters(expected));
        }

        return wrong;
    }

    // Compared in the database, so that no value of a damaged column has to be read here.
    private static string CompareSql(string kind, IReadOnlyList<Column<TView>> columns)
    {
        var names = columns.Select(column => column.Name).ToList();
        var arrays = columns.Select((column, index) => $"${index + 4}::{column.ArrayType}");
        IEnumerable<(string Name, string Value)> pairs =
        [
            .. columns.Select(column => (column.Name, $"u.{column.Name}::{column.Type}")),
            ("version", "u.version"),
            ("is_deleted", "u.body IS NULL"),
            ("data", "convert_from(u.body, 'UTF8')::jsonb"),
            ("body", "u.body"),
        ];
        var cases = pairs.Select(
            pair => $"CASE WHEN t.{pair.Name} IS DISTINCT FROM ({pair.Value}) THEN '{pair.Name}' END");
        return $"""
            SELECT id, wrong FROM (
                SELECT t.id, array_remove(ARRAY[{string.Join(", ", cases)}], NULL) AS wrong
                FROM unnest($1::integer[], $2::bigint[], $3::bytea[], {string.Join(", ", arrays)})
                    AS u (id, version, body, {string.Join(", ", names)})
                JOIN {ReadTables.Of(kind)} AS t ON t.id = u.id) AS compared
            WHERE wrong <> ARRAY[]::text[]
            """;
    }
}
