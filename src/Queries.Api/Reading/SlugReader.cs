using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Reads documents of one resource by their slugs, in one statement.</summary>
internal sealed class SlugReader(ReadModel resource, NpgsqlDataSource database)
{
    internal string FindSql { get; } =
        $"""
        SELECT id, version, (SELECT epoch FROM {ReadTables.Epoch}), {resource.Revision}, {resource.Body}, slug
        FROM {resource.Table} WHERE slug = ANY ($1) AND NOT is_deleted ORDER BY revision
        """;

    /// <summary>
    /// The documents that exist. While a slug moves, two may have it for a moment: the last written is returned.
    /// </summary>
    public async Task<Dictionary<string, StoredDocument>> FindAsync(string[] slugs, CancellationToken ct)
    {
        await using var command = database.CreateCommand(FindSql);
        command.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = slugs });
        await using var rows = await command.ExecuteReaderAsync(ct);
        var found = new Dictionary<string, StoredDocument>(slugs.Length);
        while (await rows.ReadAsync(ct))
        {
            var version = new DocumentVersion(rows.GetInt64(1), rows.GetInt64(2), rows.GetInt64(3));
            found[rows.GetString(5)] = new(rows.GetInt32(0), version, rows.GetFieldValue<byte[]>(4));
        }

        return found;
    }
}
