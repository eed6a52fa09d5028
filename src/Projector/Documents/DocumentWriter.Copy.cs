using Npgsql;

namespace ApexShop.Projector.Documents;

internal sealed partial class DocumentWriter<TView>
{
    /// <summary>Copies documents into a table that was created in the same transaction, as FREEZE requires.</summary>
    public async Task CopyAsync(
        NpgsqlConnection connection, string schema, IEnumerable<Document<TView>> documents, CancellationToken ct)
    {
        var names = string.Join(", ", columns.Select(column => column.Name));
        await using var rows = await connection.BeginBinaryImportAsync(
            $"COPY {schema}.{kind} (id, version, is_deleted, {names}, data, body) FROM STDIN "
                + "(FORMAT BINARY, FREEZE)",
            ct);
        foreach (var document in documents)
        {
            await rows.StartRowAsync(ct);
            await rows.WriteAsync(document.Id, ct);
            await rows.WriteAsync(document.Version, ct);
            await rows.WriteAsync(document.Body is null, ct);
            foreach (var column in columns)
                await WriteAsync(rows, document.View is { } view ? column.Of(view) : null, column.Type, ct);
            await WriteAsync(rows, document.Body, "jsonb", ct);
            await WriteAsync(rows, document.Body, "bytea", ct);
        }

        await rows.CompleteAsync(ct);
    }

    private static Task WriteAsync(NpgsqlBinaryImporter rows, object? value, string type, CancellationToken ct) =>
        value is null ? rows.WriteNullAsync(ct) : rows.WriteAsync(value, type, ct);
}
