using Npgsql;

namespace ApexShop.Events.Client;

/// <summary>
/// A store in PostgreSQL. <paramref name="apply"/> and <paramref name="clear"/> change the consumer's tables, in the
/// transaction that saves positions and parked events: see <see cref="IConsumerTransaction.ApplyAsync"/> and
/// <see cref="IConsumerTransaction.ClearAsync"/>.
/// </summary>
/// <param name="database">The consumer's database, with the tables of <see cref="CreateTablesAsync"/>.</param>
/// <param name="consumer">The name of the consumer: several may share a database.</param>
/// <param name="apply">Applies an event to the consumer's tables.</param>
/// <param name="clear">Removes what was made from events.</param>
public sealed class PostgresStore(
    NpgsqlDataSource database,
    string consumer,
    Func<ShopEvent, NpgsqlTransaction, CancellationToken, Task> apply,
    Func<NpgsqlTransaction, CancellationToken, Task> clear) : IConsumerStore
{
    private const string Tables = """
        SELECT pg_advisory_xact_lock(hashtextextended('apexshop_positions', 0));
        CREATE TABLE IF NOT EXISTS apexshop_positions (
            consumer text, resource text, log text NOT NULL, position bigint NOT NULL,
            is_first_read boolean NOT NULL DEFAULT false, PRIMARY KEY (consumer, resource));
        DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_attribute
                WHERE attrelid = 'apexshop_positions'::regclass AND attname = 'is_first_read')
            THEN ALTER TABLE apexshop_positions ADD COLUMN is_first_read boolean NOT NULL DEFAULT false;
            END IF;
        END $$;
        CREATE TABLE IF NOT EXISTS apexshop_parked (
            consumer text, subject text, position bigint, event json NOT NULL, reason text NOT NULL,
            parked_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, subject, position));
        """;

    /// <summary>
    /// Creates the tables <c>apexshop_positions</c> and <c>apexshop_parked</c> if they are missing, and adds what those
    /// of an earlier version lack.
    /// </summary>
    public async Task CreateTablesAsync(CancellationToken ct = default)
    {
        await using var command = database.CreateCommand(Tables);
        await command.ExecuteNonQueryAsync(ct);
    }

    public async Task<IConsumerTransaction> BeginAsync(CancellationToken ct)
    {
        var connection = await database.OpenConnectionAsync(ct);
        try
        {
            var transaction = await connection.BeginTransactionAsync(ct);
            return await PostgresTransaction.LockAsync(transaction, consumer, apply, clear, ct);
        }
        catch
        {
            await connection.DisposeAsync();
            throw;
        }
    }
}
