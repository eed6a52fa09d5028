using Npgsql;

namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>The chunks of one shop that are already written, and the ids of their rows.</summary>
internal sealed class SeededChunks
{
    /// <summary>Replaces the id of a row that was deleted or not written.</summary>
    public const int Missing = 0;

    // Ids come from the sequences of EF Core's HiLo generators, so that no later insert collides. One nextval stands
    // for a block of ten ids.
    private const string TakeSql =
        $"""
        WITH blocks AS MATERIALIZED (
            SELECT nextval($4::regclass)::integer AS first FROM generate_series(1, ($5 + 9) / 10)
        ), ids AS (
            SELECT array_agg(id) AS ids FROM (
                SELECT first + offset_in_block AS id FROM blocks CROSS JOIN generate_series(0, 9) AS offset_in_block
                ORDER BY id LIMIT $5) AS numbered
        )
        INSERT INTO shop.seeded_chunks (resource, shop, chunk, ids) SELECT $1, $2, $3, ids FROM ids
        ON CONFLICT (resource, shop, chunk) DO UPDATE SET ids = seeded_chunks.ids
        RETURNING ids, xmax = 0 AS is_new
        """;

    private const string ReadSql = "SELECT resource, chunk, ids FROM shop.seeded_chunks WHERE shop = $1";

    private readonly int shop;
    private readonly Dictionary<(string Resource, int Chunk), int[]> written = [];

    private SeededChunks(int shop) => this.shop = shop;

    public static async Task<SeededChunks> ReadAsync(NpgsqlConnection connection, int shop, CancellationToken ct)
    {
        var chunks = new SeededChunks(shop);
        await using var command = new NpgsqlCommand(ReadSql, connection) { Parameters = { Value(shop) } };
        await using var reader = await command.ExecuteReaderAsync(ct);
        while (await reader.ReadAsync(ct))
            chunks.written[(reader.GetString(0), reader.GetInt32(1))] = reader.GetFieldValue<int[]>(2);
        return chunks;
    }

    public bool TryGet(string resource, int chunk, Memory<int> ids)
    {
        if (!written.TryGetValue((resource, chunk), out var found)) return false;
        found.CopyTo(ids);
        return true;
    }

    /// <summary>
    /// Marks the chunk as written and takes new ids for it, in the caller's transaction. Returns false when another run
    /// has written it; this method then waits for that run's transaction and returns the ids of that run.
    /// </summary>
    public async Task<bool> TakeAsync(
        NpgsqlConnection connection, SeedTable table, int chunk, Memory<int> ids, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(TakeSql, connection)
        {
            Parameters =
            {
                Value(table.Resource), Value(shop), Value(chunk), Value(table.IdSequence), Value(ids.Length),
            },
        };
        await using var reader = await command.ExecuteReaderAsync(ct);
        await reader.ReadAsync(ct);
        reader.GetFieldValue<int[]>(0).CopyTo(ids);
        return reader.GetBoolean(1);
    }

    /// <summary>Replaces the ids of rows that do not exist with <see cref="Missing"/>.</summary>
    public static async Task MarkMissingAsync(
        NpgsqlConnection connection, string resource, Memory<int> ids, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand($"SELECT id FROM shop.{resource} WHERE id = ANY ($1)", connection)
        {
            Parameters = { Value(ids.ToArray()) },
        };
        await using var reader = await command.ExecuteReaderAsync(ct);
        var existing = new HashSet<int>(ids.Length);
        while (await reader.ReadAsync(ct)) existing.Add(reader.GetInt32(0));
        for (var i = 0; i < ids.Length; i++)
        {
            if (!existing.Contains(ids.Span[i])) ids.Span[i] = Missing;
        }
    }

    private static NpgsqlParameter<T> Value<T>(T value) => new() { TypedValue = value };
}
