using System.Diagnostics;
using ApexShop.Messaging;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Load.Projecting;

/// <summary>
/// The control: the documents that the Projector has just written, written again into tables without side
/// tables, one message's documents a transaction, by one caller. No event is read, nothing is derived.
/// </summary>
internal sealed class BareUpsert(NpgsqlDataSource database)
{
    private readonly List<(string Table, int[] Ids, long[] Versions, byte[][] Bodies)> batches = [];

    public int Documents { get; private set; }

    public async Task ReadAsync(IEnumerable<string> kinds, CancellationToken ct)
    {
        foreach (var kind in kinds)
        {
            var rows = await ReadAsync(
                $"SELECT id, version, body FROM {ReadTables.Of(kind)} WHERE NOT is_deleted ORDER BY id", ct);
            foreach (var chunk in rows.Chunk(Topology.MaxEventsPerMessage))
                batches.Add((
                    $"bare.{kind}",
                    [.. chunk.Select(row => row.Id)],
                    [.. chunk.Select(row => row.Version)],
                    [.. chunk.Select(row => row.Body)]));
            Documents += rows.Count;
        }

        await ExecuteAsync("DROP SCHEMA IF EXISTS bare CASCADE; CREATE SCHEMA bare", ct);
    }

    public async Task<double> TakeAsync(CancellationToken ct)
    {
        foreach (var table in batches.Select(batch => batch.Table).Distinct())
        {
            await ExecuteAsync($"""
                DROP TABLE IF EXISTS {table};
                CREATE TABLE {table} (
                    id integer PRIMARY KEY, version bigint NOT NULL, data jsonb, body bytea
                ) WITH (fillfactor = 70)
                """, ct);
        }

        await using var connection = await database.OpenConnectionAsync(ct);
        var began = Stopwatch.GetTimestamp();
        foreach (var (table, ids, versions, bodies) in batches)
        {
            await using var put = new NpgsqlCommand(PutSql(table), connection)
            {
                Parameters =
                {
                    new NpgsqlParameter<int[]> { TypedValue = ids },
                    new NpgsqlParameter<long[]> { TypedValue = versions },
                    new NpgsqlParameter<byte[][]> { TypedValue = bodies },
                },
            };
            await put.ExecuteNonQueryAsync(ct);
        }

        return Stopwatch.GetElapsedTime(began).TotalSeconds;
    }

    private static string PutSql(string table) => $"""
        INSERT INTO {table} AS t (id, version, data, body)
        SELECT u.id, u.version, convert_from(u.body, 'UTF8')::jsonb, u.body
        FROM unnest($1, $2, $3) AS u (id, version, body)
        ON CONFLICT (id) DO UPDATE SET version = excluded.version, data = excluded.data, body = excluded.body
        WHERE t.version < excluded.version
        """;

    private async Task<List<(int Id, long Version, byte[] Body)>> ReadAsync(string sql, CancellationToken ct)
    {
        await using var command = database.CreateCommand(sql);
        await using var reader = await command.ExecuteReaderAsync(ct);
        var rows = new List<(int, long, byte[])>();
        while (await reader.ReadAsync(ct))
            rows.Add((reader.GetInt32(0), reader.GetInt64(1), reader.GetFieldValue<byte[]>(2)));
        return rows;
    }

    private async Task ExecuteAsync(string sql, CancellationToken ct)
    {
        await using var command = database.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(ct);
    }
}
