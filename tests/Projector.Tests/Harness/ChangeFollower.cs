using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>A client that keeps a copy by the places of read.changes, as Queries.Api reads them.</summary>
internal sealed class ChangeFollower(NpgsqlDataSource database, int seed = 0)
{
    private readonly Random random = new(seed);
    private readonly Dictionary<string, (long Revision, int Id)> places = [];

    public SortedDictionary<string, string> Documents { get; } = new(StringComparer.Ordinal);

    public async Task FollowAsync(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested) await ReadPageAsync(Resource.Names[random.Next(5)], random.Next(1, 6));
    }

    /// <summary>Reads to the end, and gives the documents of the places that were read.</summary>
    public async Task<List<string>> ReadAsync()
    {
        var read = new List<string>();
        foreach (var kind in Resource.Names) read.AddRange(await ReadPageAsync(kind, int.MaxValue));
        return read;
    }

    private async Task<List<string>> ReadPageAsync(string kind, int limit)
    {
        var read = new List<string>();
        var (revision, id) = places.GetValueOrDefault(kind);
        await using var command = database.CreateCommand($"""
            SELECT c.id, CASE WHEN NOT t.is_deleted THEN convert_from({PendingNames.Body(kind, "t.")}, 'UTF8') END,
                c.revision
            FROM (SELECT id, revision FROM {ReadTables.Changes} WHERE kind = '{kind}'
                AND (revision, id) > ({revision}, {id}) ORDER BY revision, id LIMIT {limit}) AS c
            LEFT JOIN {ReadTables.Of(kind)} AS t ON t.id = c.id ORDER BY c.revision, c.id
            """);
        await using var rows = await command.ExecuteReaderAsync();
        while (await rows.ReadAsync())
        {
            places[kind] = (rows.GetInt64(2), rows.GetInt32(0));
            var document = $"{kind}/{rows.GetInt32(0)}";
            read.Add(document);
            if (rows.IsDBNull(1)) Documents.Remove(document);
            else Documents[document] = rows.GetString(1);
        }

        return read;
    }
}
