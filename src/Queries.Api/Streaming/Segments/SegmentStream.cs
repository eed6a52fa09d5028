using System.Diagnostics.Metrics;
using ApexShop.Hosting;
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
internal sealed class SegmentStream
{
    private const int Megabyte = 1024 * 1024;
    private const int FlushBytes = 128 * 1024;

    private readonly GracefulShutdown stop;
    private readonly Dictionary<(string Resource, bool IsMessagePack), SegmentCache> caches = [];

    public SegmentStream(
        StreamDatabase database,
        IOptions<ReadingOptions> reading,
        IOptions<StreamingOptions> streaming,
        IMeterFactory meters,
        TimeProvider clock,
        GracefulShutdown stop)
    {
        this.stop = stop;
        Budget = new SegmentBudget((long)streaming.Value.SegmentMegabytes * Megabyte);
        var metrics = new SegmentMetrics(meters, Budget);
        foreach (var resource in ReadModel.All)
        {
            var reader = new SegmentReader(resource, database.Starts)
            {
                Limit = TimeSpan.FromSeconds(reading.Value.GatheredSeconds),
            };
            caches[(resource.Name, false)] = new SegmentCache(reader, Budget, isMessagePack: false, metrics, clock);
            caches[(resource.Name, true)] = new SegmentCache(reader, Budget, isMessagePack: true, metrics, clock);
        }
    }

    public SegmentBudget Budget { get; }

    /// <summary>Whether the stream was sent; if not, the response is unchanged.</summary>
    public async Task<bool> TrySendAsync(
        HttpResponse response, SegmentFormat format, ListQuery list, int limit, CancellationToken ct)
    {
        // A few documents are read faster than the versions are compared, and need no memory.
        if (Budget.Most == 0 || !list.IsEverything || limit <= ReadTables.SegmentSize) return false;
        using var lease = await caches[(list.Resource.Name, format.IsMessagePack)].FindAsync(ct);
        if (lease is null) return false;

        var pieces = lease.Set.First(limit);
        response.ContentLength = format.LengthOf(pieces.Sum(piece => (long)piece.Length));
        await SendAsync(response, format, pieces, ct);
        return true;
    }

    private async Task SendAsync(
        HttpResponse response, SegmentFormat format, List<ReadOnlyMemory<byte>> pieces, CancellationToken ct)
    {
        var body = response.BodyWriter;
        SegmentFormat.Write(pieces.Count == 0 ? format.Empty : format.Open, body);
        for (var i = 0; i < pieces.Count; i++)
        {
            var rest = i == 0 ? pieces[i][format.BytesBefore..] : pieces[i];
            for (; !rest.IsEmpty; rest = rest[Math.Min(rest.Length, FlushBytes)..])
            {
                if (stop.MustStreamsEnd) throw new StreamStoppedException();
                format.Write(rest.Span[..Math.Min(rest.Length, FlushBytes)], body);
                await body.FlushAsync(ct);
            }
        }

        if (pieces.Count > 0) SegmentFormat.Write(format.Close, body);
        await body.FlushAsync(ct);
    }
}
