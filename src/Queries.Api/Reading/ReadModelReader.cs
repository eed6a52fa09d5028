using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Reads single documents of one resource. Their bytes are copied, never looked into.</summary>
internal sealed class ReadModelReader(Resource resource, NpgsqlDataSource database)
{
    internal string FindSql { get; } =
        $"""
        SELECT version, (SELECT epoch FROM {ReadTables.ProjectionState}), revision, body FROM {resource.Table}
        WHERE id = $1 AND NOT is_deleted
        """;

    /// <summary>Appends one document; null if there is none or it was deleted.</summary>
    public async Task<DocumentVersion?> FindAsync(int id, PooledBuffer into, CancellationToken ct)
    {
        await using var command = database.CreateCommand(FindSql);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = id });
        await using var rows = await command.ExecuteReaderAsync(ct);
        if (!await rows.ReadAsync(ct)) return null;

        var version = new DocumentVersion(rows.GetInt64(0), rows.GetInt64(1), rows.GetInt64(2));
        RowCopy.CopyBody(rows, into, column: 3);
        return version;
    }
}

/// <summary>One state of one document; the aggregate's version alone does not move with denormalised values.</summary>
internal readonly record struct DocumentVersion(long Version, long Epoch, long Revision)
{
    public string ETag => $"\"{Version}.{Epoch}.{Revision}\"";
}
