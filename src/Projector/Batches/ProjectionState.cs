using ApexShop.Projector.Caching;
using Npgsql;

namespace ApexShop.Projector.Batches;

/// <summary>Where the projection of a resource stands, locked until the transaction ends.</summary>
internal sealed record ProjectionState(long Checkpoint, PendingTags Pending, IReadOnlySet<int> ParkedAggregates)
{
    // The one row of projection_state is locked before anything is read: documents show values of other kinds, so two
    // projectors must take turns even when their messages are of different resources.
    public static async Task<ProjectionState> LockAsync(NpgsqlConnection connection, EventBatch batch, CancellationToken ct)
    {
        await using var commands = new NpgsqlBatch(connection);
        commands.BatchCommands.Add(new(PendingTags.SelectSql + " FOR UPDATE"));
        commands.BatchCommands.Add(new("SELECT position FROM read.checkpoints WHERE resource = $1 FOR UPDATE")
        {
            Parameters = { new NpgsqlParameter<string> { TypedValue = batch.Resource } },
        });
        commands.BatchCommands.Add(new("""
            SELECT DISTINCT aggregate_id FROM read.parked_events WHERE resource = $1 AND aggregate_id = ANY($2)
            """)
        {
            Parameters =
            {
                new NpgsqlParameter<string> { TypedValue = batch.Resource },
                new NpgsqlParameter<int[]> { TypedValue = [.. batch.Entries.Select(entry => entry.AggregateId)] },
            },
        });

        await using var reader = await commands.ExecuteReaderAsync(ct);
        await reader.ReadAsync(ct);
        var pending = PendingTags.From(reader);
        await reader.NextResultAsync(ct);
        await reader.ReadAsync(ct);
        var checkpoint = reader.GetInt64(0);
        await reader.NextResultAsync(ct);
        var parked = new HashSet<int>();
        while (await reader.ReadAsync(ct)) parked.Add(reader.GetInt32(0));
        return new(checkpoint, pending, parked);
    }

    /// <summary>Stores the new checkpoint and the tags still to be raised, with what else belongs to them.</summary>
    public static async Task<PendingTags> MoveAsync(
        NpgsqlConnection connection, string resource, long checkpoint, string[] pending, IEnumerable<NpgsqlBatchCommand> more, CancellationToken ct)
    {
        await using var commands = new NpgsqlBatch(connection);
        commands.BatchCommands.Add(new("UPDATE read.projection_state SET pending_tags = $1 RETURNING xmin")
        {
            Parameters = { new NpgsqlParameter<string[]> { TypedValue = pending } },
        });
        commands.BatchCommands.Add(new("UPDATE read.checkpoints SET position = $2 WHERE resource = $1")
        {
            Parameters = { new NpgsqlParameter<string> { TypedValue = resource }, new NpgsqlParameter<long> { TypedValue = checkpoint } },
        });
        foreach (var command in more) commands.BatchCommands.Add(command);
        return new(pending, (uint)(await commands.ExecuteScalarAsync(ct))!);
    }
}
