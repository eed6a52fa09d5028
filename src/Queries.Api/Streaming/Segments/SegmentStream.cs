using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.IO.Pipelines;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Compression;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming.Formats;
using ApexShop.ReadModels;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Streaming.Segments;

/// <summary>
/// Streams whole collections from memory. The versions of the segments are compared with the database in the same
/// request, so the documents are as fresh as if they were read. A collection that does not fit is streamed by rows.
/// </summary>
internal sealed class SegmentStream : IDisposable
{
    private const int Megabyte = 1024 * 1024;
    private const int FlushBytes = 128 * 1024;

    private readonly GracefulShutdown stop;
    private readonly Dictionary<(string Resource, bool IsMessagePack), SegmentCache> caches = [];
    private readonly ConcurrentDictionary<
        (string Resource, SegmentFormat Format, ContentCoding Coding),
        (CompressedSegments Segments, SegmentCache Cache)> compressed = [];
    private readonly Dictionary<string, SegmentReader> readers;
    private readonly SegmentMetrics metrics;
    private readonly TimeProvider clock;

    public SegmentStream(
        StreamDatabase database,
        IOptions<ReadingOptions> reading,
        IOptions<StreamingOptions> streaming,
        IMeterFactory meters,
        TimeProvider clock,
        GracefulShutdown stop)
    {
        (this.clock, this.stop) = (clock, stop);
        Budget = new SegmentBudget((long)streaming.Value.SegmentMegabytes * Megabyte);
        metrics = new SegmentMetrics(meters, Budget);
        var limit = TimeSpan.FromSeconds(reading.Value.StatementSeconds);
        readers = ReadModel.All.ToDictionary(
            resource => resource.Name, resource => new SegmentReader(resource, database.Starts) { Limit = limit });
        foreach (var (resource, reader) in readers)
        {
            foreach (var isMessagePack in (ReadOnlySpan<bool>)[false, true])
                caches[(resource, isMessagePack)] = NewCache(
                    reader, (version, lines) => Segment.Encode(version, lines, isMessagePack), long.MaxValue);
        }
    }

    public SegmentBudget Budget { get; }

    /// <summary>
    /// Whether the response is complete; if not, it is unchanged. The <paramref name="coding"/> is what the response's
    /// body does with the bytes that are written to it. If <paramref name="isAll"/>, nothing is cut at the limit.
    /// </summary>
    public async Task<bool> TrySendAsync(
        HttpResponse response, StreamFormat streamFormat, ContentCoding coding, ListQuery list, int limit, bool isAll,
        CancellationToken ct)
    {
        if (!IsCached(list, limit)) return false;
        var format = streamFormat.Segments;
        using var lease = await caches[(list.Resource.Name, format.IsMessagePack)].FindAsync(ct);
        if (lease is null || (isAll && lease.Set.Documents > limit)) return false;
        // A body that is compressed while it is sent has other bytes than one of compressed segments.
        var isWeak = coding != ContentCoding.Identity;
        if (CollectionETag.TrySetNotModified(response, list.Resource, lease.Set, streamFormat, coding, limit, isWeak))
            return true;

        if (stop.MustStreamsEnd) throw new StreamStoppedException();
        var pieces = lease.Set.First(limit);
        response.ContentLength = format.LengthOf(pieces.Sum(piece => (long)piece.Length));
        var body = response.BodyWriter;
        SegmentFormat.Write(pieces.Count == 0 ? format.Empty : format.Open, body);
        for (var i = 0; i < pieces.Count; i++)
            await SendAsync(i == 0 ? pieces[i][format.BytesBefore..] : pieces[i], format.Write, body, ct);
        if (pieces.Count > 0) SegmentFormat.Write(format.Close, body);
        await body.FlushAsync(ct);
        return true;
    }

    /// <summary>
    /// The same, compressed. A compressed segment cannot be cut, so the <paramref name="limit"/> is the process's own.
    /// </summary>
    public async Task<bool> TrySendCompressedAsync(
        HttpResponse response, StreamFormat format, ContentCoding coding, ListQuery list, int limit,
        CancellationToken ct)
    {
        if (!IsCached(list, limit)) return false;
        var (segments, cache) = compressed.GetOrAdd(
            (list.Resource.Name, format.Segments, coding), NewCompressed, limit);
        using var lease = await cache.FindAsync(ct);
        if (lease is null || lease.Set.Documents > limit) return false;
        var collection = segments.Body(lease.Set);
        if (!collection.IsWorthwhile) return false;
        if (CollectionETag.TrySetNotModified(response, list.Resource, lease.Set, format, coding, limit)) return true;

        response.Headers.ContentEncoding = coding.Name;
        response.ContentLength = collection.Length;
        var body = response.BodyWriter;
        foreach (var piece in collection.Pieces)
            await SendAsync(piece, (bytes, output) => output.Write(bytes), body, ct);
        await body.FlushAsync(ct);
        return true;
    }

    public void Dispose()
    {
        foreach (var reader in readers.Values) reader.Dispose();
    }

    // Made with the first request: no start of the process waits for the compressors.
    private (CompressedSegments Segments, SegmentCache Cache) NewCompressed(
        (string Resource, SegmentFormat Format, ContentCoding Coding) form, int limit)
    {
        var segments = new CompressedSegments(form.Format, form.Coding.Parts!);
        return (segments, NewCache(
            readers[form.Resource],
            (version, lines) => segments.Compress(Segment.Encode(version, lines, form.Format.IsMessagePack)),
            limit));
    }

    private SegmentCache NewCache(SegmentReader reader, SegmentEncoder encode, long most) =>
        new(reader, Budget, encode, most, metrics, clock);

    // A few documents are read faster than the versions are compared, and need no memory.
    private bool IsCached(ListQuery list, int limit) =>
        Budget.Most > 0 && list.IsEverything && limit > ReadTables.SegmentSize;

    private async Task SendAsync(
        ReadOnlyMemory<byte> piece,
        Action<ReadOnlySpan<byte>, IBufferWriter<byte>> write,
        PipeWriter body,
        CancellationToken ct)
    {
        for (; !piece.IsEmpty; piece = piece[Math.Min(piece.Length, FlushBytes)..])
        {
            if (stop.MustStreamsEnd) throw new StreamStoppedException();
            write(piece.Span[..Math.Min(piece.Length, FlushBytes)], body);
            if (body.UnflushedBytes >= FlushBytes) await body.FlushAsync(ct);
        }
    }
}
