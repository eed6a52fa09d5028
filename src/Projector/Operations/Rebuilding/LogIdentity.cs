using ApexShop.Caching;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>The identity of the event log that the documents are from, as the read schema has it.</summary>
internal sealed class LogIdentity(NpgsqlDataSource database)
{
    /// <summary>
    /// Stores the identity $1, if it is not null, and starts a new epoch: no earlier response is valid. A restored read
    /// schema would count epochs again that responses have had; the time in milliseconds was never an epoch. Without an
    /// identity nothing was compared with the log, so the origin stays.
    /// </summary>
    public const string StoreSql = $"""
        UPDATE {ReadTables.ProjectionState}
        SET log_id = coalesce($1::text, log_id),
            origin = CASE WHEN $1::text IS NULL THEN origin ELSE read.origin() END,
            epoch = greatest(epoch + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint),
            pending_tags = ARRAY['{CacheTags.Everything}'],
            pending_since = coalesce(pending_since, clock_timestamp())
        """;

    private const string ForgetOriginSql = $"UPDATE {ReadTables.ProjectionState} SET origin = NULL";

    /// <summary>Whether the documents are from a log with another identity; not if they have none yet.</summary>
    public static async Task<bool> IsOtherAsync(NpgsqlConnection connection, string? logId, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(
            $"SELECT coalesce(log_id <> $1::text, false) FROM {ReadTables.ProjectionState}", connection);
        command.Parameters.Add(new NpgsqlParameter<string?> { TypedValue = logId });
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }

    /// <summary>
    /// The stored identity, whether the read schema is where it was stored (not after a restore of either schema), and
    /// the epoch.
    /// </summary>
    public async Task<(string? LogId, bool IsInPlace, long Epoch)> ReadAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            $"SELECT log_id, coalesce(origin = read.origin(), false), epoch FROM {ReadTables.ProjectionState}");
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return (row.IsDBNull(0) ? null : row.GetString(0), row.GetBoolean(1), row.GetInt64(2));
    }

    /// <summary>
    /// The documents of the epoch are not from the log: until they are, no event is applied to them, and queries with a
    /// Consistency-Token are refused.
    /// </summary>
    public async Task ForgetOriginAsync(long epoch, CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            $"{ForgetOriginSql} WHERE origin IS NOT NULL AND epoch = $1");
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = epoch });
        await command.ExecuteNonQueryAsync(ct);
    }

    /// <summary>The same in the transaction that puts the documents in use.</summary>
    public static async Task ForgetOriginAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(ForgetOriginSql, connection);
        await command.ExecuteNonQueryAsync(ct);
    }

    /// <summary>
    /// Stores the identity, unless events were applied after <paramref name="position"/>, which may be of the log
    /// before, or the tables were restored after <paramref name="epoch"/>.
    /// </summary>
    public async Task<bool> AdoptAsync(string logId, long position, long epoch, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(ct);
        // Locked first, so that the update reads what the batch before has committed.
        const string lockSql = $"SELECT FROM {ReadTables.ProjectionState} FOR UPDATE";
        await using (var locking = new NpgsqlCommand(lockSql, connection)) await locking.ExecuteNonQueryAsync(ct);
        await using var storing = new NpgsqlCommand(
            $"""
            {StoreSql} WHERE (log_id IS DISTINCT FROM $1 OR origin IS DISTINCT FROM read.origin())
                AND (SELECT coalesce(max(position), 0) FROM {ReadTables.Checkpoints}) = $2 AND epoch = $3
            """, connection);
        storing.Parameters.Add(new NpgsqlParameter<string> { TypedValue = logId });
        storing.Parameters.Add(new NpgsqlParameter<long> { TypedValue = position });
        storing.Parameters.Add(new NpgsqlParameter<long> { TypedValue = epoch });
        var isStored = await storing.ExecuteNonQueryAsync(ct) > 0;
        await transaction.CommitAsync(ct);
        return isStored;
    }
}
