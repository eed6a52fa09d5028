using ApexShop.ReadModels;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

internal sealed partial class DocumentWriter<TView>
{
    private readonly string columnNames =
        $"id, version, is_deleted, body, {string.Join(", ", columns.Select(column => column.Name))}";

    /// <summary>Copies documents into a table that has no column <c>data</c>.</summary>
    public Task StageAsync(
        NpgsqlConnection connection, string prefix, IEnumerable<Document<TView>> documents, CancellationToken ct) =>
        WriteAsync(
            connection,
            $"COPY {prefix}{kind} ({columnNames}) FROM STDIN (FORMAT BINARY)",
            documents,
            hasData: false,
            ct);

    /// <summary>Copies documents; FREEZE requires a table that was emptied in the same transaction.</summary>
    public Task CopyAsync(
        NpgsqlConnection connection,
        string prefix,
        IEnumerable<Document<TView>> documents,
        bool isEmptied,
        CancellationToken ct) =>
        WriteAsync(
            connection,
            $"COPY {prefix}{kind} ({columnNames}, data) FROM STDIN (FORMAT BINARY, FREEZE {isEmptied})",
            documents,
            hasData: true,
            ct);

    /// <summary>
    /// Adds the query for the next staged documents, tombstones too. The list is filled when the batch runs.
    /// </summary>
    public List<Document<TView>> Next(StatementBatch statements, long after, int most)
    {
        var documents = new List<Document<TView>>(most);
        statements.Add(
            $"SELECT id, version, body FROM {ReadTables.Of(kind)} WHERE id > $1 ORDER BY id LIMIT $2",
            row =>
            {
                var view = row.IsDBNull(2) ? null : Parse(row.GetFieldValue<byte[]>(2));
                documents.Add(new(row.GetInt32(0), row.GetInt64(1), view, null));
            },
            Parameter(after),
            Parameter(most));
        return documents;
    }

    private async Task WriteAsync(
        NpgsqlConnection connection,
        string sql,
        IEnumerable<Document<TView>> documents,
        bool hasData,
        CancellationToken ct)
    {
        await using var rows = await connection.BeginBinaryImportAsync(sql, ct);
        foreach (var document in documents)
        {
            await rows.StartRowAsync(ct);
            await rows.WriteAsync(document.Id, ct);
            await rows.WriteAsync(document.Version, ct);
            await rows.WriteAsync(document.Body is null, ct);
            await WriteAsync(rows, document.Body, "bytea", ct);
            foreach (var column in columns)
                await WriteAsync(rows, document.View is { } view ? column.Of(view) : null, column.Type, ct);
            if (hasData) await WriteAsync(rows, document.Body, "jsonb", ct);
        }

        await rows.CompleteAsync(ct);
    }

    private static Task WriteAsync(NpgsqlBinaryImporter rows, object? value, string type, CancellationToken ct) =>
        value is null ? rows.WriteNullAsync(ct) : rows.WriteAsync(value, type, ct);
}
