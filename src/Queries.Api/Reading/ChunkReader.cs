using System.Data;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Reads the chunks of streams, each as one row. Walks and searches may take different connections.</summary>
internal sealed class ChunkReader(NpgsqlDataSource walks, NpgsqlDataSource searches)
{
    /// <summary>How long a chunk is read on for a client that hung up: far longer than most chunks take.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// Fills a buffer anew with up to <paramref name="take"/> documents from the start on, each followed by the separator;
    /// with fewer when those would be more than <paramref name="most"/> bytes, but with one at least.
    /// </summary>
    public async Task<Slice> ChunkAsync(
        ListQuery list, Start start, int take, int most, byte separator, PooledBuffer into, CancellationToken ct)
    {
        into.Clear();
        await using var connection = await (list.IsWalk ? walks : searches).OpenConnectionAsync(ct);
        using var late = new LateCancellation(Patience, ct);
        while (true)
        {
            await using var batch = connection.CreateBatch();
            batch.BatchCommands.Add(ChunkCommand(list, start, take, separator, most));
            // The documents go from the socket into the buffer, however many they are.
            await using var row = await batch.ExecuteReaderAsync(CommandBehavior.SequentialAccess, late.Token);
            await row.ReadAsync(late.Token);
            var count = (int)row.GetInt64(0);
            if (count == 0) return default;

            var bytes = row.GetInt64(1);
            if (bytes <= most || count == 1)
            {
                var id = row.GetInt32(2);
                var last = new Position(list.Sort.Kind?.Read(row, 3), id);
                await into.FillAsync(row, list.Sort.Kind is null ? 3 : 4, late.Token);
                into.Append(separator);
                return new Slice(count, default, last, HasMore: count == take);
            }

            // Half of what would fit on average: documents differ.
            take = (int)Math.Max((long)count * most / bytes / 2, 1);
        }
    }

    internal static NpgsqlBatchCommand ChunkCommand(ListQuery list, Start start, int take, byte separator, int most)
    {
        var command = ListReader.StartCommand(ListSql.Chunk(list, start), list, start);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = take });
        command.Parameters.Add(new NpgsqlParameter<byte[]> { TypedValue = [separator] });
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = most });
        return command;
    }
}
