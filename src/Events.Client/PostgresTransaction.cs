using Npgsql;

namespace ApexShop.Events.Client;

/// <summary>A transaction of <see cref="PostgresStore"/>.</summary>
internal sealed class PostgresTransaction : IConsumerTransaction
{
    // While an instance that hangs has the lock, the one that takes over would wait for it without an end.
    private const string LockSql = """
        SELECT CASE WHEN current_setting('idle_in_transaction_session_timeout') = '0'
                THEN set_config('idle_in_transaction_session_timeout', '60s', true) END,
            pg_advisory_xact_lock(hashtextextended('apexshop_positions ' || $1, 0))
        """;

    private readonly NpgsqlTransaction transaction;
    private readonly NpgsqlConnection connection;
    private readonly string consumer;
    private readonly Func<ShopEvent, NpgsqlTransaction, CancellationToken, Task> apply;
    private readonly Func<NpgsqlTransaction, CancellationToken, Task> clear;
    private readonly HashSet<string> parkedSubjects = [];

    private PostgresTransaction(
        NpgsqlTransaction transaction,
        string consumer,
        Func<ShopEvent, NpgsqlTransaction, CancellationToken, Task> apply,
        Func<NpgsqlTransaction, CancellationToken, Task> clear)
    {
        (this.transaction, connection) = (transaction, transaction.Connection!);
        (this.consumer, this.apply, this.clear) = (consumer, apply, clear);
    }

    public Dictionary<string, LogPosition> Positions { get; } = [];

    public IReadOnlySet<string> ParkedSubjects => parkedSubjects;

    /// <summary>Waits until no other transaction of this consumer is open, and reads what the last one saved.</summary>
    public static async Task<PostgresTransaction> LockAsync(
        NpgsqlTransaction transaction,
        string consumer,
        Func<ShopEvent, NpgsqlTransaction, CancellationToken, Task> apply,
        Func<NpgsqlTransaction, CancellationToken, Task> clear,
        CancellationToken ct)
    {
        var locked = new PostgresTransaction(transaction, consumer, apply, clear);
        await locked.ReadAsync(ct);
        return locked;
    }

    public Task ApplyAsync(ShopEvent change, CancellationToken ct) => apply(change, transaction, ct);

    public async Task ClearAsync(CancellationToken ct)
    {
        await clear(transaction, ct);
        await ExecuteAsync("DELETE FROM apexshop_positions WHERE consumer = $1", ct);
        await ExecuteAsync("DELETE FROM apexshop_parked WHERE consumer = $1", ct);
        Positions.Clear();
        parkedSubjects.Clear();
    }

    public Task ParkAsync(ParkedEvent parked, CancellationToken ct) => ExecuteAsync(
        "INSERT INTO apexshop_parked (consumer, subject, position, event, reason) VALUES ($1, $2, $3, $4::json, $5)",
        ct, parked.Event.Subject, parked.Event.Position, parked.Event.Json.GetRawText(), parked.Reason);

    public Task UnparkAsync(ShopEvent parked, CancellationToken ct) => ExecuteAsync(
        "DELETE FROM apexshop_parked WHERE consumer = $1 AND subject = $2 AND position = $3",
        ct, parked.Subject, parked.Position);

    public Task<int> UnparkAllAsync(string subject, CancellationToken ct) =>
        ExecuteAsync("DELETE FROM apexshop_parked WHERE consumer = $1 AND subject = $2", ct, subject);

    public async Task<IReadOnlyList<ParkedEvent>> ReadParkedAsync(string? subject, CancellationToken ct)
    {
        await using var command = subject is null
            ? Command("SELECT event::text, reason FROM apexshop_parked WHERE consumer = $1 ORDER BY position")
            : Command("""
                SELECT event::text, reason FROM apexshop_parked WHERE consumer = $1 AND subject = $2 ORDER BY position
                """, subject);
        await using var row = await command.ExecuteReaderAsync(ct);
        var parked = new List<ParkedEvent>();
        while (await row.ReadAsync(ct)) parked.Add(new(ShopEvent.Parse(row.GetString(0)), row.GetString(1)));
        return parked;
    }

    public async Task CommitAsync(CancellationToken ct)
    {
        foreach (var (resource, place) in Positions)
        {
            await ExecuteAsync("""
                INSERT INTO apexshop_positions (consumer, resource, log, position, is_first_read)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (consumer, resource) DO UPDATE SET log = excluded.log, position = excluded.position,
                    is_first_read = excluded.is_first_read
                """, ct, resource, place.Log, place.Position, place.IsFirstRead);
        }

        await transaction.CommitAsync(ct);
    }

    public async ValueTask DisposeAsync()
    {
        await transaction.DisposeAsync();
        await connection.DisposeAsync();
    }

    // The lock is a statement of its own: each of the others then sees what was committed before. One subject may have
    // very many parked events, so the index is read once for each subject and not for each event.
    private async Task ReadAsync(CancellationToken ct)
    {
        await ExecuteAsync(LockSql, ct);
        await using var command = Command("""
            WITH RECURSIVE parked AS (
                SELECT min(subject) AS subject FROM apexshop_parked WHERE consumer = $1
                UNION ALL SELECT (
                    SELECT min(next.subject) FROM apexshop_parked AS next
                    WHERE consumer = $1 AND next.subject > parked.subject)
                FROM parked WHERE subject IS NOT NULL)
            SELECT resource, log, position, is_first_read, NULL FROM apexshop_positions WHERE consumer = $1
            UNION ALL SELECT NULL, NULL, NULL::bigint, NULL::boolean, subject FROM parked WHERE subject IS NOT NULL
            """);
        await using var row = await command.ExecuteReaderAsync(ct);
        while (await row.ReadAsync(ct))
        {
            if (row.IsDBNull(0)) parkedSubjects.Add(row.GetString(4));
            else Positions[row.GetString(0)] = new(row.GetString(1), row.GetInt64(2), row.GetBoolean(3));
        }
    }

    private async Task<int> ExecuteAsync(string sql, CancellationToken ct, params object[] values)
    {
        await using var command = Command(sql, values);
        return await command.ExecuteNonQueryAsync(ct);
    }

    private NpgsqlCommand Command(string sql, params object[] values)
    {
        var command = new NpgsqlCommand(sql, connection, transaction) { Parameters = { new() { Value = consumer } } };
        foreach (var value in values) command.Parameters.Add(new NpgsqlParameter { Value = value });
        return command;
    }
}
