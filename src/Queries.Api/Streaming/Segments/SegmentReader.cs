using System.Data;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>Reads the versions of a resource's segments, alone or together with their documents.</summary>
internal sealed class SegmentReader(ReadModel resource, NpgsqlDataSource database) : IDisposable
{
    internal static string VersionsSql { get; } = $"""
        SELECT segment, version + (SELECT coalesce(max(version), 0) FROM {ReadTables.Segments}
                WHERE kind = $1 AND segment = {ReadTables.AllSegments}),
            document_count, (SELECT epoch FROM {ReadTables.Epoch})
        FROM {ReadTables.Segments} WHERE kind = $1 AND segment > {ReadTables.AllSegments} ORDER BY segment
        """;

    // One value a segment: one row for each document would cost both sides more than the documents.
    internal string LoadSql { get; } =
        $"""
        SELECT (SELECT string_agg(body, '\x0a'::bytea) FROM (
            SELECT {resource.Body} AS body FROM {resource.Table}
            WHERE id >= s.segment * {ReadTables.SegmentSize} AND id < (s.segment + 1)::bigint * {ReadTables.SegmentSize}
                AND NOT is_deleted
            ORDER BY id) AS documents)
        FROM unnest($1) AS s (segment)
        """;

    // The length of a large value is in its row, so PostgreSQL does not read the value itself.
    private readonly string sizesSql =
        $"""
        SELECT coalesce(sum(documents), 0)::bigint, coalesce(sum(bytes), 0)::bigint
        FROM unnest($1) AS s (segment), LATERAL (
            SELECT count(*) AS documents, sum(octet_length(body)) AS bytes FROM {resource.Table}
            WHERE id >= s.segment * {ReadTables.SegmentSize} AND id < (s.segment + 1)::bigint * {ReadTables.SegmentSize}
                AND NOT is_deleted) AS sizes
        """;

    private readonly string tables = $"{resource.Table}, {ReadTables.Segments}, {ReadTables.PendingNames}";

    // The encodings of a resource are read one after the other, so that all of them together take one connection.
    private readonly SemaphoreSlim snapshots = new(1);

    /// <summary>The time limit of a statement.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromSeconds(10);

    public async Task<SegmentVersions> VersionsAsync()
    {
        using var time = DelayedCancellation.After(Limit);
        await using var command = database.CreateCommand(VersionsSql);
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = resource.Name });
        // Many streams wait for it, so no stream's token may cancel it.
        await using var rows = await command.ExecuteReaderAsync(time.Token);
        return await ReadAsync(rows, time.Token);
    }

    /// <summary>The sizes of documents as they are stored, without the documents.</summary>
    public async Task<SegmentSizes> SizesAsync(int[] segments)
    {
        using var time = DelayedCancellation.After(Limit);
        await using var command = database.CreateCommand(sizesSql);
        command.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = segments });
        await using var row = await command.ExecuteReaderAsync(time.Token);
        await row.ReadAsync(time.Token);
        return new SegmentSizes(row.GetInt64(0), row.GetInt64(1));
    }

    public async Task<SegmentSnapshot> OpenAsync()
    {
        await snapshots.WaitAsync();
        NpgsqlConnection? connection = null;
        try
        {
            using var time = DelayedCancellation.After(Limit);
            connection = await database.OpenConnectionAsync();
            await connection.BeginTransactionAsync(IsolationLevel.RepeatableRead, time.Token);
            await using var batch = new NpgsqlBatch(connection);
            // Before the snapshot is taken: a switch of tables then happens before the versions are read or after the
            // documents are, never in between.
            batch.BatchCommands.Add(
                new NpgsqlBatchCommand($"LOCK TABLE {tables} IN ACCESS SHARE MODE"));
            batch.BatchCommands.Add(new NpgsqlBatchCommand(VersionsSql)
            {
                Parameters = { new NpgsqlParameter<string> { TypedValue = resource.Name } },
            });
            await using var rows = await batch.ExecuteReaderAsync(time.Token);
            return new SegmentSnapshot(connection, await ReadAsync(rows, time.Token), LoadSql, Limit, snapshots);
        }
        catch
        {
            await SegmentSnapshot.EndAsync(connection, snapshots);
            throw;
        }
    }

    public void Dispose() => snapshots.Dispose();

    private static async Task<SegmentVersions> ReadAsync(NpgsqlDataReader rows, CancellationToken ct)
    {
        var (epoch, segments) = (0L, new List<SegmentVersion>());
        while (await rows.ReadAsync(ct))
        {
            segments.Add(new(rows.GetInt32(0), rows.GetInt64(1), rows.GetInt32(2)));
            epoch = rows.GetInt64(3);
        }

        return new SegmentVersions(epoch, segments);
    }
}

/// <summary>How many documents some segments have, and their bytes.</summary>
internal readonly record struct SegmentSizes(long Documents, long Bytes);
