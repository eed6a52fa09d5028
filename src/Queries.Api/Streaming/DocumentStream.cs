using ApexShop.Queries.Api.Reading;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// Sends any number of documents in bounded memory. A chunk is read whole and its connection given back before the
/// first byte of it is sent, so a slow client holds memory for one chunk and nothing else.
/// </summary>
internal sealed class DocumentStream(ListReader documents, StreamingOptions options)
{
    // Small, so that the first byte leaves early; the size of its documents decides about the next chunks.
    private const int FirstChunkRows = 64;
    private const int MaxChunkRows = 1000;

    public async Task SendAsync(
        HttpResponse response, IDocumentWriter writer, ListQuery list, StreamPlace place, int limit, CancellationToken ct)
    {
        using var chunk = new PooledBuffer(options.ChunkBytes);
        var (left, rows, isLast) = (limit, FirstChunkRows, false);
        while (!isLast)
        {
            chunk.Clear();
            var slice = await documents.ChunkAsync(
                list, place.Next, Math.Min(rows, left), options.ChunkBytes, writer.Separator, chunk, ct);
            writer.Write(chunk.Written.Span, response.BodyWriter);
            left -= slice.Count;
            isLast = !slice.HasMore || left == 0;
            if (isLast) writer.End(response.BodyWriter);

            await response.BodyWriter.FlushAsync(ct);
            place.Next = Start.After(slice.Last);
            rows = RowsOfNextChunk(slice.Count, chunk.Length);
        }
    }

    // Three quarters: documents differ, and a chunk that fits needs no larger buffer.
    private int RowsOfNextChunk(int count, int length) =>
        (int)Math.Clamp(options.ChunkBytes * 3L / 4 * count / Math.Max(length, 1), 1, MaxChunkRows);
}
