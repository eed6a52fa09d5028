using System.Diagnostics;
using ApexShop.Projector.Operations.Rebuilding;
using Npgsql;

namespace ApexShop.Load.Rebuilding;

/// <summary>
/// The control: the rows that a rebuild writes, kept in memory in PostgreSQL's binary COPY format and
/// copied into empty tables with the same columns, keys and indexes, one after the other. No event is read, nothing is
/// derived.
/// </summary>
internal sealed class BareCopy(NpgsqlDataSource database)
{
    private readonly List<(string Table, byte[] Rows)> tables = [];

    public async Task ReadAsync(CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        foreach (var table in RebuiltTables.All)
        {
            using var rows = new MemoryStream();
            var sql = $"COPY read.{table} TO STDOUT (FORMAT BINARY)";
            await using (var copy = await connection.BeginRawBinaryCopyAsync(sql, ct)) await copy.CopyToAsync(rows, ct);
            tables.Add((table, rows.ToArray()));
        }
    }

    public async Task<double> TakeAsync(CancellationToken ct)
    {
        await EmptyAsync(ct);
        await using var connection = await database.OpenConnectionAsync(ct);
        var began = Stopwatch.GetTimestamp();
        foreach (var (table, rows) in tables)
        {
            await using var copy =
                await connection.BeginRawBinaryCopyAsync($"COPY bare.{table} FROM STDIN (FORMAT BINARY)", ct);
            await copy.WriteAsync(rows, ct);
        }

        return Stopwatch.GetElapsedTime(began).TotalSeconds;
    }

    private async Task EmptyAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand("""
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
            """);
        await command.ExecuteNonQueryAsync(ct);
    }
}
