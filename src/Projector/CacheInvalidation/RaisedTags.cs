using Npgsql;
using NpgsqlTypes;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>Which of the stored tags are raised, as all processes read it.</summary>
internal interface IRaisedTags
{
    /// <summary>The stored tags; null when there are none.</summary>
    Task<PendingTags?> PendingAsync(CancellationToken ct);

    /// <summary>
    /// Stores that the tags are raised, and deletes them. While a batch is being applied they stay: it replaces them.
    /// </summary>
    Task ClearAsync(PendingTags raised, CancellationToken ct);
}

/// <summary>The stored tags in the read schema.</summary>
internal sealed class RaisedTags(NpgsqlDataSource database) : IRaisedTags
{
    public async Task<PendingTags?> PendingAsync(CancellationToken ct)
    {
        await using var select = database.CreateCommand(PendingTags.SelectSql + " WHERE pending_tags <> '{}'");
        await using var reader = await select.ExecuteReaderAsync(ct);
        // Without the lock, a change that was stored before this time may be committed later.
        return await reader.ReadAsync(ct) ? PendingTags.From(reader) with { At = default } : null;
    }

    public async Task ClearAsync(PendingTags raised, CancellationToken ct)
    {
        await using var batch = database.CreateBatch();
        batch.BatchCommands.Add(Command("UPDATE read.raised_tags SET version = $1", raised));
        batch.BatchCommands.Add(Command(
            """
            UPDATE read.projection_state SET pending_tags = '{}', pending_since = NULL WHERE only_row IN (
                SELECT only_row FROM read.projection_state WHERE xmin = $1 FOR UPDATE SKIP LOCKED)
            """,
            raised));
        await batch.ExecuteNonQueryAsync(ct);
    }

    private static NpgsqlBatchCommand Command(string sql, PendingTags tags) => new(sql)
    {
        Parameters = { new() { Value = tags.Version, NpgsqlDbType = NpgsqlDbType.Xid } },
    };
}
