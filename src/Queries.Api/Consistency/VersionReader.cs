using System.Diagnostics;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Consistency;

/// <summary>
/// Reads the versions of documents, tombstones included; of none after a restore, until the documents were compared
/// with the log: a document that was undone may have the id and the version of a new change.
/// </summary>
internal interface IVersionReader
{
    Task<Dictionary<int, long>> ReadAsync(ReadModel resource, int[] ids, CancellationToken ct);
}

/// <summary>Reads them in one statement.</summary>
internal sealed class VersionReader(NpgsqlDataSource database) : IVersionReader
{
    public async Task<Dictionary<int, long>> ReadAsync(ReadModel resource, int[] ids, CancellationToken ct)
    {
        // It runs every few milliseconds: its spans would hide that of the waiting query.
        if (Activity.Current is not null) Activity.Current = null;
        await using var command = database.CreateCommand(
            $"""
            SELECT id, version FROM {resource.Table}
            WHERE id = ANY ($1) AND (
                SELECT origin IS NOT NULL OR log_id IS NULL FROM {ReadTables.ProjectionState})
            """);
        command.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = ids });
        await using var rows = await command.ExecuteReaderAsync(ct);
        var versions = new Dictionary<int, long>(ids.Length);
        while (await rows.ReadAsync(ct)) versions.Add(rows.GetInt32(0), rows.GetInt64(1));
        return versions;
    }
}
