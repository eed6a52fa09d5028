using ApexShop.Hosting;
using ApexShop.Queries.Api.Reading;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// Sends any number of documents in bounded memory. A chunk is read whole and its connection given back before the
/// first byte of it is sent, and the next one is read meanwhile, so a slow client holds memory for two chunks and nothing
/// else.
/// </summary>
internal sealed class DocumentStream(ChunkReader documents, StreamingOptions options, GracefulShutdown stop)
{
    // Small, so that the first byte leaves early; the size of its documents decides about the next chunks.
    private const int FirstChunkRows = 64;
    private const int MaxChunkRows = 1000;

    public async Task SendAsync(
        HttpResponse response, IDocumentWriter writer, ListQuery list, StreamPlace place, int limit, CancellationToken ct)
    {
        using var one = new PooledBuffer(options.ChunkBytes);
        using var two = new PooledBuffer(options.ChunkBytes);
        var (chunk, next, left) = (one, two, limit);
        var reading = ReadAsync(list, place.Next, Math.Min(FirstChunkRows, left), writer, chunk, ct);
        try
        {
            for (var isLast = false; !isLast;)
            {
                if (stop.MustStreamsEnd) throw new StreamStoppedException();
                var slice = await reading;
                left -= slice.Count;
                isLast = !slice.HasMore || left == 0;
                var behind = Start.After(slice.Last);
                var rows = Math.Min(RowsOfNextChunk(slice.Count, chunk.Length), left);
                if (!isLast) reading = ReadAsync(list, behind, rows, writer, next, ct);

                writer.Write(chunk.Written.Span, response.BodyWriter);
                if (isLast) writer.End(response.BodyWriter);
                await response.BodyWriter.FlushAsync(ct);
                place.Next = behind;
                (chunk, next) = (next, chunk);
            }
        }
        finally
        {
            // Whatever ended the stream: its buffer must not go back while it is being filled.
            await ((Task)reading).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private Task<Slice> ReadAsync(
        ListQuery list, Start start, int take, IDocumentWriter writer, PooledBuffer into, CancellationToken ct) =>
        documents.ChunkAsync(list, start, take, options.ChunkBytes, writer.Separator, into, ct);

    // Three quarters: documents differ, and a chunk that fits needs no larger buffer.
    private int RowsOfNextChunk(int count, int length) =>
        (int)Math.Clamp(options.ChunkBytes * 3L / 4 * count / Math.Max(length, 1), 1, MaxChunkRows);
}
