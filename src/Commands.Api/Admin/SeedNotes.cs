using Npgsql;

namespace ApexShop.Commands.Api.Admin;

/// <summary>Which chunks of a shop are written, and the ids they have.</summary>
internal sealed class SeedNotes
{
    // Ids come from the sequences that EF takes its blocks from, so that no later insert collides. A block is what one
    // nextval stands for.
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

    private SeedNotes(int shop) => this.shop = shop;

    public static async Task<SeedNotes> ReadAsync(NpgsqlConnection connection, int shop, CancellationToken ct)
    {
        var notes = new SeedNotes(shop);
        await using var command = new NpgsqlCommand(ReadSql, connection) { Parameters = { new NpgsqlParameter<int> { TypedValue = shop } } };
        await using var reader = await command.ExecuteReaderAsync(ct);
        while (await reader.ReadAsync(ct))
            notes.written[(reader.GetString(0), reader.GetInt32(1))] = reader.GetFieldValue<int[]>(2);
        return notes;
    }

    public bool TryGet(string resource, int chunk, Memory<int> ids)
    {
        if (!written.TryGetValue((resource, chunk), out var known)) return false;
        known.CopyTo(ids);
        return true;
    }

    /// <summary>
    /// Takes the chunk and new ids for it, in the caller's transaction. False when another run has written it, for
    /// which this waits; then the ids are that run's.
    /// </summary>
    public async Task<bool> TakeAsync(NpgsqlConnection connection, SeedStep step, int chunk, Memory<int> ids, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(TakeSql, connection)
        {
            Parameters =
            {
                new NpgsqlParameter<string> { TypedValue = step.Resource },
                new NpgsqlParameter<int> { TypedValue = shop },
                new NpgsqlParameter<int> { TypedValue = chunk },
                new NpgsqlParameter<string> { TypedValue = step.IdSequence },
                new NpgsqlParameter<int> { TypedValue = ids.Length },
            },
        };
        await using var reader = await command.ExecuteReaderAsync(ct);
        await reader.ReadAsync(ct);
        reader.GetFieldValue<int[]>(0).CopyTo(ids);
        return reader.GetBoolean(1);
    }
}
