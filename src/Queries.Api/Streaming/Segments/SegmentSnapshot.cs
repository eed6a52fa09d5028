using System.Data;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Streaming.Formats;
using Npgsql;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>A transaction in which versions and documents are those of the same point in time.</summary>
internal sealed class SegmentSnapshot(
    NpgsqlConnection connection, SegmentVersions versions, string loadSql, TimeSpan limit, SemaphoreSlim snapshots)
    : IAsyncDisposable
{
    public SegmentVersions Versions => versions;

    /// <summary>The documents of each segment, in the given order, with a line break before each document.</summary>
    public async IAsyncEnumerable<byte[]> LoadAsync(int[] segments)
    {
        using var time = DelayedCancellation.After(limit);
        await using var command = new NpgsqlCommand(loadSql, connection);
        command.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = segments });
        await using var rows = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess, time.Token);
        while (await rows.ReadAsync(time.Token))
            yield return await rows.IsDBNullAsync(0, time.Token) ? [] : await LinesAsync(rows, time.Token);
    }

    public ValueTask DisposeAsync() => EndAsync(connection, snapshots);

    /// <summary>Closes the connection, which ends the transaction, and lets the next snapshot begin.</summary>
    public static async ValueTask EndAsync(NpgsqlConnection? connection, SemaphoreSlim snapshots)
    {
        try
        {
            if (connection is not null) await connection.DisposeAsync();
        }
        finally
        {
            snapshots.Release();
        }
    }

    private static async Task<byte[]> LinesAsync(NpgsqlDataReader rows, CancellationToken ct)
    {
        await using var bodies = await rows.GetStreamAsync(0, ct);
        var lines = GC.AllocateUninitializedArray<byte>((int)bodies.Length + 1);
        lines[0] = SegmentFormat.LineBreak;
        await bodies.ReadExactlyAsync(lines.AsMemory(1), ct);
        return lines;
    }
}
