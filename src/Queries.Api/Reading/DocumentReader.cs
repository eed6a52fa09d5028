using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Reads documents of one resource by their ids.</summary>
internal interface IDocumentReader
{
    /// <summary>The documents that exist.</summary>
    Task<List<StoredDocument>> FindAsync(int[] ids, CancellationToken ct);
}

/// <summary>Reads documents in one statement.</summary>
internal sealed class DocumentReader(ReadModel resource, NpgsqlDataSource database) : IDocumentReader
{
    internal string FindSql { get; } =
        $"""
        SELECT id, version, (SELECT epoch FROM {ReadTables.Epoch}), {resource.Revision}, {resource.Body}
        FROM {resource.Table} WHERE id = ANY ($1) AND NOT is_deleted
        """;

    public async Task<List<StoredDocument>> FindAsync(int[] ids, CancellationToken ct)
    {
        await using var command = database.CreateCommand(FindSql);
        command.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = ids });
        await using var rows = await command.ExecuteReaderAsync(ct);
        var found = new List<StoredDocument>(ids.Length);
        while (await rows.ReadAsync(ct))
        {
            var version = new DocumentVersion(rows.GetInt64(1), rows.GetInt64(2), rows.GetInt64(3));
            found.Add(new(rows.GetInt32(0), version, rows.GetFieldValue<byte[]>(4)));
        }

        return found;
    }
}

internal readonly record struct StoredDocument(int Id, DocumentVersion Version, byte[] Body);

/// <summary>A state of a document; the aggregate's version alone does not change with denormalised values.</summary>
internal readonly record struct DocumentVersion(long Version, long Epoch, long Revision)
{
    public string ETag => $"\"{Version}.{Epoch}.{Revision}\"";
}
