using System.Buffers.Binary;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Consistency;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;
using Npgsql;
using NpgsqlTypes;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>How a command ended and what it changed; stored as JSON.</summary>
internal sealed record StoredResult<TResponse>(TResponse Result, IReadOnlyList<ConsistencyToken.Change> Changes);

internal sealed record StoredResponse(byte[] RequestHash, string Answer);

/// <summary>Held until the transaction ends; not held, another request with the same key runs.</summary>
internal sealed record KeyClaim(byte[] KeyHash, bool IsHeld, StoredResponse? Kept = null, bool HasExpired = false);

/// <summary>Table <c>idempotency_keys</c>, always within the command's transaction.</summary>
internal sealed class StoredResponses(ShopDbContext db, TimeProvider clock, IOptions<IdempotencyOptions> options)
{
    /// <summary>Locks the key, looks for its answer and marks the point to which a refused command rolls back.</summary>
    public async Task<KeyClaim> ClaimAsync(byte[] keyHash, CancellationToken ct)
    {
        // One round trip, yet three statements: the second looks at the table as it is once the lock is held. Locked by
        // two numbers, since locks by one are the outbox leader's.
        await using var batch = CreateBatch(
            new("SELECT pg_try_advisory_xact_lock($1, $2)") { Parameters = { Half(keyHash, 0), Half(keyHash, 4) } },
            new("SELECT request_hash, answer::text, expires_at FROM shop.idempotency_keys WHERE key_hash = $1") { Parameters = { Bytes(keyHash) } },
            new("SAVEPOINT before_command"));
        await using var reader = await batch.ExecuteReaderAsync(ct);
        await reader.ReadAsync(ct);
        if (!reader.GetBoolean(0)) return new KeyClaim(keyHash, IsHeld: false);
        await reader.NextResultAsync(ct);
        if (!await reader.ReadAsync(ct)) return new KeyClaim(keyHash, IsHeld: true);
        return await reader.GetFieldValueAsync<DateTimeOffset>(2, ct) <= clock.GetUtcNow()
            ? new KeyClaim(keyHash, IsHeld: true, HasExpired: true)
            : new KeyClaim(keyHash, IsHeld: true, new StoredResponse(await reader.GetFieldValueAsync<byte[]>(0, ct), reader.GetString(1)));
    }

    /// <summary>Writes the answer, in place of one that has expired, and without what the command changed if it was refused.</summary>
    public async Task KeepAsync(KeyClaim claim, StoredResponse kept, bool isRefused, CancellationToken ct)
    {
        var now = clock.GetUtcMicroseconds();
        await using var batch = CreateBatch(new NpgsqlBatchCommand(
            """
            INSERT INTO shop.idempotency_keys (key_hash, request_hash, answer, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5)
            """)
        {
            Parameters =
            {
                Bytes(claim.KeyHash), Bytes(kept.RequestHash), new() { Value = kept.Answer, NpgsqlDbType = NpgsqlDbType.Json },
                new() { Value = now }, new() { Value = now + options.Value.Lifetime },
            },
        });
        if (claim.HasExpired)
            batch.BatchCommands.Insert(0, new NpgsqlBatchCommand("DELETE FROM shop.idempotency_keys WHERE key_hash = $1") { Parameters = { Bytes(claim.KeyHash) } });
        if (isRefused) batch.BatchCommands.Insert(0, new NpgsqlBatchCommand("ROLLBACK TO SAVEPOINT before_command"));
        await batch.ExecuteNonQueryAsync(ct);
    }

    private NpgsqlBatch CreateBatch(params ReadOnlySpan<NpgsqlBatchCommand> commands)
    {
        var batch = new NpgsqlBatch((NpgsqlConnection)db.Database.GetDbConnection());
        foreach (var command in commands) batch.BatchCommands.Add(command);
        return batch;
    }

    private static NpgsqlParameter<int> Half(byte[] keyHash, int from) =>
        new() { TypedValue = BinaryPrimitives.ReadInt32BigEndian(keyHash.AsSpan(from)) };

    private static NpgsqlParameter<byte[]> Bytes(byte[] value) => new() { TypedValue = value };
}
