using System.Data;
using Npgsql;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>A transaction that sees versions and documents as they were together at one moment.</summary>
internal sealed class SegmentSnapshot(
    NpgsqlConnection connection, SegmentVersions versions, string loadSql) : IAsyncDisposable
{
    public SegmentVersions Versions => versions;

    /// <summary>The bodies of each segment, in the given order, with a line break before each.</summary>
    public async IAsyncEnumerable<byte[]> LoadAsync(int[] segments)
    {
        await using var command = new NpgsqlCommand(loadSql, connection);
        command.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = segments });
        await using var rows = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess);
        while (await rows.ReadAsync()) yield return await rows.IsDBNullAsync(0) ? [] : await LinesAsync(rows);
    }

    // Closing ends the transaction, which has changed nothing.
    public ValueTask DisposeAsync() => connection.DisposeAsync();

    private static async Task<byte[]> LinesAsync(NpgsqlDataReader rows)
    {
        await using var bodies = await rows.GetStreamAsync(0);
        var lines = GC.AllocateUninitializedArray<byte>((int)bodies.Length + 1);
        lines[0] = SegmentForm.Break;
        await bodies.ReadExactlyAsync(lines.AsMemory(1));
        return lines;
    }
}
