using System.Data;
using System.Diagnostics;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Reads the chunks of streams, each as one row.</summary>
/// <param name="connections">Those of a list; searches and walks, whose chunks may take long, have others.</param>
internal sealed class ChunkReader(Func<ListQuery, NpgsqlDataSource> connections)
{
    private static readonly TimeSpan searchLimit = TimeSpan.FromSeconds(ReadDatabase.StreamedSearchSeconds);

    public TimeSpan CancellationDelay { get; init; } = DelayedCancellation.UsualDelay;

    /// <summary>How long a chunk waits for a connection.</summary>
    public TimeSpan LongestWait { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Replaces the contents of a buffer by up to <paramref name="take"/> documents, each followed by the separator. It
    /// reads fewer if they have more than <paramref name="most"/> bytes, but at least one.
    /// </summary>
    public async Task<DocumentRange> ChunkAsync(
        ListQuery list, ScanStart start, int take, int most, byte separator, PooledBuffer into, CancellationToken ct)
    {
        into.Clear();
        await using var connection = await OpenAsync(list, ct);
        using var delayed = new DelayedCancellation(CancellationDelay, ct, ReadDatabase.LongestStatement);
        var began = Stopwatch.GetTimestamp();
        try
        {
            return await ReadAsync(connection, list, start, take, most, separator, into, delayed.Token);
        }
        // A scan is never too expensive.
        catch (PostgresException cancelled) when (
            cancelled.SqlState == PostgresErrorCodes.QueryCanceled && !list.IsShortScan)
        {
            throw SearchPool.OfCancelled(cancelled, Stopwatch.GetElapsedTime(began), searchLimit);
        }
    }

    private static async Task<DocumentRange> ReadAsync(
        NpgsqlConnection connection,
        ListQuery list,
        ScanStart start,
        int take,
        int most,
        byte separator,
        PooledBuffer into,
        CancellationToken ct)
    {
        while (true)
        {
            await using var batch = connection.CreateBatch();
            batch.BatchCommands.Add(ChunkCommand(list, start, take, separator, most));
            // The documents are copied from the socket into the buffer without another buffer in between.
            await using var row = await batch.ExecuteReaderAsync(CommandBehavior.SequentialAccess, ct);
            await row.ReadAsync(ct);
            var count = (int)row.GetInt64(0);
            if (count == 0) return default;

            var bytes = row.GetInt64(1);
            if (bytes <= most || count == 1)
            {
                var id = row.GetInt32(2);
                var last = new KeysetPosition(list.Sort.Kind?.Read(row, 3), id);
                await into.FillAsync(row, list.Sort.Kind is null ? 3 : 4, ct);
                into.Append(separator);
                return new DocumentRange(count, default, last, HasMore: count == take);
            }

            // Half of what would fit on the average, since documents differ in size.
            take = (int)Math.Max((long)count * most / bytes / 2, 1);
        }
    }

    private async Task<NpgsqlConnection> OpenAsync(ListQuery list, CancellationToken ct)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(LongestWait);
        try
        {
            return await connections(list).OpenConnectionAsync(limit.Token);
        }
        catch (OperationCanceledException late) when (!ct.IsCancellationRequested)
        {
            if (!list.IsShortScan) throw new SearchBusyException();
            throw new NpgsqlException("No connection was free in time.", late);
        }
    }

    internal static NpgsqlBatchCommand ChunkCommand(ListQuery list, ScanStart start, int take, byte separator, int most)
    {
        var command = ListCommands.StartCommand(ListSql.Chunk(list, start), list, start);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = take });
        command.Parameters.Add(new NpgsqlParameter<byte[]> { TypedValue = [separator] });
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = most });
        return command;
    }
}
