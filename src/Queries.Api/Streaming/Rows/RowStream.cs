using ApexShop.Hosting;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Streaming.Formats;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Streaming.Rows;

/// <summary>
/// Streams any number of documents from the database in bounded memory. A chunk is read completely and its connection
/// returned before the chunk is sent, and the next chunk is read meanwhile. So a slow client occupies the memory of two
/// chunks and no connection.
/// </summary>
internal sealed class RowStream(
    StreamDatabase database,
    IOptions<ReadingOptions> reading,
    IOptions<StreamingOptions> streaming,
    GracefulShutdown stop)
{
    // Small, so that the first byte is sent early; the size of its documents determines the next chunks.
    private const int FirstChunkRows = 64;
    private const int MaxChunkRows = 1000;

    private readonly StreamingOptions options = streaming.Value;
    private readonly ChunkReader laterChunks = new(database.Chunks);

    // Nothing was sent yet, so the response may still be a 503.
    private readonly ChunkReader firstChunks = new(database.Chunks)
    {
        LongestWait = TimeSpan.FromSeconds(reading.Value.WaitSeconds),
    };

    /// <summary>
    /// Sends the first documents up to the <paramref name="limit"/>. Without one it sends all, or fails when there are
    /// more than a stream may have, so that no part looks like the whole.
    /// </summary>
    public async Task SendAsync(
        HttpResponse response,
        StreamFormat format,
        ListQuery list,
        StreamProgress progress,
        int? limit,
        CancellationToken ct)
    {
        var writer = format.NewWriter();
        using PooledBuffer one = new(options.ChunkBytes), two = new(options.ChunkBytes);
        var (chunk, next, left) = (one, two, limit ?? (int)Math.Min(options.MaxDocuments + 1L, int.MaxValue));
        var (http, chunks) = (response.HttpContext, response.HasStarted ? laterChunks : firstChunks);
        var coming = ReadAsync(http, chunks, list, progress.Next, Math.Min(FirstChunkRows, left), writer, chunk, ct);
        try
        {
            for (var isLast = false; !isLast;)
            {
                if (stop.MustStreamsEnd) throw new StreamStoppedException();
                var range = await coming;
                left -= range.Count;
                isLast = !range.HasMore || left == 0;
                var after = ScanStart.After(range.Last);
                var rows = Math.Min(RowsOfNextChunk(range.Count, chunk.Length), left);
                if (!isLast) coming = ReadAsync(http, laterChunks, list, after, rows, writer, next, ct);

                writer.Write(chunk.Written.Span, response.BodyWriter);
                var isTooLong = limit is null && left == 0;
                if (isLast && !isTooLong) writer.End(response.BodyWriter);
                await response.BodyWriter.FlushAsync(ct);
                if (isTooLong) throw new StreamTooLongException();
                (progress.Next, chunk, next) = (after, next, chunk);
            }
        }
        finally
        {
            // However the stream ended: a buffer must not be returned to the pool while it is being filled.
            await coming.WithoutThrowing();
        }
    }

    private async Task<DocumentRange> ReadAsync(
        HttpContext http,
        ChunkReader chunks,
        ListQuery list,
        ScanStart start,
        int take,
        IDocumentWriter writer,
        PooledBuffer into,
        CancellationToken ct)
    {
        // A read may take longer than the process has left; without this end an export would have no last line.
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(ct, stop.StreamsEnd);
        try
        {
            using var place = await database.TakePlaceAsync(http, list, chunks.LongestWait, limited.Token);
            return await chunks.ChunkAsync(
                list, start, take, options.ChunkBytes, writer.Separator, into, limited.Token);
        }
        catch (OperationCanceledException) when (stop.MustStreamsEnd && !ct.IsCancellationRequested)
        {
            throw new StreamStoppedException();
        }
    }

    // Three quarters of what fits on the average: documents differ, and a chunk that fits needs no larger buffer.
    private int RowsOfNextChunk(int count, int length) =>
        (int)Math.Clamp(options.ChunkBytes * 3L / 4 * count / Math.Max(length, 1), 1, MaxChunkRows);
}
