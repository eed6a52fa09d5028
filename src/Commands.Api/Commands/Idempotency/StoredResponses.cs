using System.Buffers.Binary;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Consistency;
using Microsoft.Extensions.Options;
using Npgsql;
using NpgsqlTypes;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>A command's result and its changes; stored as JSON.</summary>
internal sealed record StoredResult<TResponse>(TResponse Result, IReadOnlyList<ConsistencyToken.Change> Changes);

/// <summary>The hash of the first request with a key, and its <see cref="StoredResult{TResponse}"/> as JSON.</summary>
internal sealed record StoredResponse(byte[] RequestHash, string Result);

/// <summary>
/// The lock of a key until the transaction ends; not held while another request with the key is running.
/// </summary>
internal sealed record KeyClaim(byte[] KeyHash, bool IsHeld, StoredResponse? Stored = null, bool HasExpired = false);

/// <summary>Reads and writes table <c>idempotency_keys</c> in the command's transaction.</summary>
internal sealed class StoredResponses(ShopDbContext db, IOptions<IdempotencyOptions> options)
{
    /// <summary>
    /// Locks the key, reads its response and sets the savepoint to which a refused command rolls back.
    /// </summary>
    public async Task<KeyClaim> ClaimAsync(byte[] keyHash, CancellationToken ct)
    {
        // Three statements in one round trip: the second reads the table after the lock is held. The lock has two
        // numbers as its key: 64 bits of the hash.
        await using var batch = db.CreateBatch(
            new("SELECT pg_try_advisory_xact_lock($1, $2)") { Parameters = { Half(keyHash, 0), Half(keyHash, 4) } },
            new(
                """
                SELECT request_hash, answer::text, expires_at <= clock_timestamp() FROM shop.idempotency_keys
                WHERE key_hash = $1
                """)
            {
                Parameters = { Bytes(keyHash) },
            },
            new("SAVEPOINT before_command"));
        await using var reader = await batch.ExecuteReaderAsync(ct);
        await reader.ReadAsync(ct);
        if (!reader.GetBoolean(0)) return new KeyClaim(keyHash, IsHeld: false);
        await reader.NextResultAsync(ct);
        if (!await reader.ReadAsync(ct)) return new KeyClaim(keyHash, IsHeld: true);
        if (reader.GetBoolean(2)) return new KeyClaim(keyHash, IsHeld: true, HasExpired: true);
        var stored = new StoredResponse(await reader.GetFieldValueAsync<byte[]>(0, ct), reader.GetString(1));
        return new KeyClaim(keyHash, IsHeld: true, stored);
    }

    /// <summary>
    /// Writes the response, in place of an expired one; rolls back the changes of a refused command before.
    /// </summary>
    public async Task StoreAsync(KeyClaim claim, StoredResponse stored, bool isRefused, CancellationToken ct)
    {
        await using var batch = db.CreateBatch(new NpgsqlBatchCommand(
            """
            INSERT INTO shop.idempotency_keys (key_hash, request_hash, answer, created_at, expires_at)
            VALUES ($1, $2, $3, now(), now() + $4)
            """)
        {
            Parameters =
            {
                Bytes(claim.KeyHash),
                Bytes(stored.RequestHash),
                new() { Value = stored.Result, NpgsqlDbType = NpgsqlDbType.Json },
                new() { Value = options.Value.Lifetime },
            },
        });
        if (claim.HasExpired)
        {
            const string delete = "DELETE FROM shop.idempotency_keys WHERE key_hash = $1";
            batch.BatchCommands.Insert(0, new NpgsqlBatchCommand(delete) { Parameters = { Bytes(claim.KeyHash) } });
        }

        if (isRefused) batch.BatchCommands.Insert(0, new NpgsqlBatchCommand("ROLLBACK TO SAVEPOINT before_command"));
        await batch.ExecuteNonQueryAsync(ct);
        db.HasWritten = true;
    }

    private static NpgsqlParameter<int> Half(byte[] keyHash, int from) =>
        new() { TypedValue = BinaryPrimitives.ReadInt32BigEndian(keyHash.AsSpan(from)) };

    private static NpgsqlParameter<byte[]> Bytes(byte[] value) => new() { TypedValue = value };
}
