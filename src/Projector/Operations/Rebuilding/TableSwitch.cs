using ApexShop.Projector.Documents;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Switches tables in one short transaction. The tables are moved between schemas, which locks each of them, so that no
/// transaction reads tables from before and after the switch. Prepared statements are planned again and use the other
/// table of the same name.
/// </summary>
internal sealed class TableSwitch(NpgsqlConnection connection, TimeProvider clock)
{
    // Readers wait while a lock is requested, so the first attempts are short. Later ones are longer: PostgreSQL
    // cancels an automatic vacuum for a lock, but only after a second.
    private static readonly TimeSpan shortest = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan longest = TimeSpan.FromMilliseconds(1_500);

    // All previous tables are moved or dropped. Those that queries read are the last: while another lock is waited for,
    // queries continue.
    private const string TablesSql = $"""
        SELECT string_agg(
            format('%I.%I', schemaname, tablename), ', '
            ORDER BY schemaname = '{ReadTables.Schema}', schemaname, array_position($1, tablename::text))
        FROM pg_tables
        WHERE schemaname = '{RebuiltTables.Previous}'
            OR (schemaname IN ('{ReadTables.Schema}', '{RebuiltTables.Next}') AND tablename = ANY($1))
        """;

    // A newer release may have migrated the schema while this one still runs. The log of its resources is read from the
    // beginning.
    private const string KeepResourcesSql =
        "INSERT INTO read.checkpoints (resource, position) SELECT unnest($1), 0 ON CONFLICT DO NOTHING";

    /// <summary>
    /// Runs <paramref name="prepare"/> while no Projector applies events, then locks the tables and runs
    /// <paramref name="move"/>. False when <paramref name="prepare"/> is, or the tables could not be locked. The tables
    /// are from the log with the identity <paramref name="logId"/>; null if it does not change.
    /// </summary>
    public async Task<bool> TryAsync(
        int attempt,
        Func<Task<bool>> prepare,
        Func<Task> move,
        string? logId,
        CancellationToken ct)
    {
        await using var transaction = await connection.BeginTransactionAsync(ct);
        // A Projector that hangs here would block all others, and with the locks of the tables all queries.
        await ExecuteAsync(
            $"SET LOCAL idle_in_transaction_session_timeout = {ReadDatabase.HangLimit};"
                + $"SET LOCAL tcp_user_timeout = {ReadDatabase.HangLimit}",
            ct);
        await ExecuteAsync($"SELECT epoch FROM {ReadTables.ProjectionState} FOR UPDATE", ct);
        if (!await prepare()) return false;
        var statements = new StatementBatch(connection);
        var before = await LogContinuity.PositionsAsync(statements, ct);
        if (!await TryMoveAsync(attempt, move, ct)) return false;
        statements.Add(KeepResourcesSql, StatementBatch.Parameter(before.Keys.ToArray()));
        await statements.RunAsync(ct);
        // No response from the previous tables may be served again.
        await using var storing = new NpgsqlCommand(LogIdentity.StoreSql, connection);
        storing.Parameters.Add(new NpgsqlParameter<string?> { TypedValue = logId });
        await storing.ExecuteNonQueryAsync(ct);
        await transaction.CommitAsync(ct);
        return true;
    }

    /// <summary>Moves all tables of a schema to another one, which must not contain them.</summary>
    public Task MoveAsync(string from, string to, CancellationToken ct) => ExecuteAsync(
        string.Join(';', RebuiltTables.All.Select(table => $"ALTER TABLE {from}.{table} SET SCHEMA {to}")), ct);

    /// <summary>A random pause, in which waiting transactions continue.</summary>
    public Task PauseAsync(CancellationToken ct) =>
        Task.Delay(TimeSpan.FromMilliseconds(Random.Shared.Next(50, 250)), clock, ct);

    private async Task<bool> TryMoveAsync(int attempt, Func<Task> move, CancellationToken ct)
    {
        var limit = Math.Min(shortest.TotalMilliseconds * Math.Pow(2, attempt / 3), longest.TotalMilliseconds);
        try
        {
            await using var naming = new NpgsqlCommand(TablesSql, connection);
            naming.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = [.. RebuiltTables.All] });
            var tables = (string)(await naming.ExecuteScalarAsync(ct))!;
            // The limit is for all locks together.
            await ExecuteAsync(FormattableString.Invariant($"SET LOCAL statement_timeout = {limit:0}"), ct);
            await ExecuteAsync($"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE", ct);
            // A vacuum of a table's large values locks those only, and a move that drops the table needs them too.
            await ExecuteAsync(
                FormattableString.Invariant($"SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = {limit:0}"),
                ct);
            await move();
            return true;
        }
        catch (PostgresException busy) when (
            busy.SqlState is PostgresErrorCodes.QueryCanceled
                or PostgresErrorCodes.LockNotAvailable
                or PostgresErrorCodes.DeadlockDetected)
        {
            return false;
        }
    }

    private async Task ExecuteAsync(string sql, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(ct);
    }
}
