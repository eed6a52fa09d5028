using System.Diagnostics;
using ApexShop.Projector.Operations.Rebuilding;
using Npgsql;

namespace ApexShop.Load.Rebuilding;

/// <summary>
/// The control: the rows that a rebuild writes, read into a temporary file in PostgreSQL's binary COPY format and
/// copied into an empty table with the same columns, keys and indexes, one table after the other. No event is read,
/// nothing is derived.
/// </summary>
internal sealed class BareCopy(NpgsqlDataSource database)
{
    private const int BufferBytes = 1 << 20;

    /// <summary>The seconds that the copies into the empty tables took together.</summary>
    public async Task<double> TakeAsync(CancellationToken ct)
    {
        await ExecuteAsync("""
            DROP SCHEMA IF EXISTS bare CASCADE;
            CREATE SCHEMA bare;
            DO $$ DECLARE t record; BEGIN
                FOR t IN SELECT relname, coalesce(array_to_string(reloptions, ', '), 'fillfactor = 100') AS options
                    FROM pg_class
                    WHERE relnamespace = 'read'::regnamespace AND relkind = 'r' LOOP
                    EXECUTE format('CREATE TABLE bare.%I (LIKE read.%I INCLUDING ALL) WITH (%s)', t.relname, t.relname,
                        t.options);
                END LOOP;
            END $$;
            """, ct);
        var taken = TimeSpan.Zero;
        foreach (var table in RebuiltTables.All)
        {
            taken += await CopyAsync(table, ct);
            // Disk for one copied table is enough.
            await ExecuteAsync($"TRUNCATE bare.{table}", ct);
        }

        await ExecuteAsync("DROP SCHEMA bare CASCADE", ct);
        return taken.TotalSeconds;
    }

    private async Task<TimeSpan> CopyAsync(string table, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var rows = new FileStream(Path.GetTempFileName(), new FileStreamOptions
        {
            Mode = FileMode.Open,
            Access = FileAccess.ReadWrite,
            Options = FileOptions.DeleteOnClose,
            BufferSize = BufferBytes,
        });
        await using (var source = await connection.BeginRawBinaryCopyAsync(
            $"COPY read.{table} TO STDOUT (FORMAT BINARY)", ct))
        {
            await source.CopyToAsync(rows, BufferBytes, ct);
        }

        rows.Position = 0;
        var began = Stopwatch.GetTimestamp();
        await using (var target = await connection.BeginRawBinaryCopyAsync(
            $"COPY bare.{table} FROM STDIN (FORMAT BINARY)", ct))
        {
            await rows.CopyToAsync(target, BufferBytes, ct);
        }

        return Stopwatch.GetElapsedTime(began);
    }

    private async Task ExecuteAsync(string sql, CancellationToken ct)
    {
        await using var command = database.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(ct);
    }
}
