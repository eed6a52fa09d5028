using System.Diagnostics.Metrics;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// Sends whole collections from memory: the bytes are a checked copy, compared with the database in the same request,
/// so they are as fresh as rows read by it. What the memory has no room for is left to the rows.
/// </summary>
internal sealed class SegmentStream
{
    private const int Megabyte = 1024 * 1024;
    private const int FlushBytes = 128 * 1024;

    private readonly GracefulShutdown stop;
    private readonly Dictionary<(string Resource, bool IsPacked), SegmentShelf> shelves = [];

    public SegmentStream(
        ReadDatabase database, IOptions<StreamingOptions> streaming, IMeterFactory meters, GracefulShutdown stop)
    {
        this.stop = stop;
        Budget = new SegmentBudget((long)streaming.Value.SegmentMegabytes * Megabyte);
        var metrics = new SegmentMetrics(meters, Budget);
        foreach (var resource in Resource.All)
        {
            var reader = new SegmentReader(resource, database.Streams);
            shelves[(resource.Name, false)] = new SegmentShelf(reader, Budget, SegmentEncoder.Lines, metrics);
            shelves[(resource.Name, true)] = new SegmentShelf(reader, Budget, SegmentEncoder.Packed, metrics);
        }
    }

    public SegmentBudget Budget { get; }

    /// <summary>Whether the stream was sent; false leaves the response untouched.</summary>
    public async Task<bool> TrySendAsync(
        HttpResponse response, SegmentForm form, ListQuery list, int limit, CancellationToken ct)
    {
        // Few documents are read faster than compared, and need nothing kept.
        if (Budget.Most == 0 || !list.IsEverything || limit <= ReadTables.SegmentSize) return false;
        using var held = await shelves[(list.Resource.Name, form.IsPacked)].FindAsync(ct);
        if (held is null) return false;

        var pieces = held.First(limit);
        response.ContentLength = form.LengthOf(pieces.Sum(piece => (long)piece.Length));
        await SendAsync(response, form, pieces, ct);
        return true;
    }

    private async Task SendAsync(
        HttpResponse response, SegmentForm form, List<ReadOnlyMemory<byte>> pieces, CancellationToken ct)
    {
        var body = response.BodyWriter;
        SegmentForm.Write(pieces.Count == 0 ? form.Nothing : form.Open, body);
        for (var i = 0; i < pieces.Count; i++)
        {
            var rest = i == 0 ? pieces[i][form.BytesBefore..] : pieces[i];
            for (; !rest.IsEmpty; rest = rest[Math.Min(rest.Length, FlushBytes)..])
            {
                if (stop.MustStreamsEnd) throw new StreamStoppedException();
                form.Write(rest.Span[..Math.Min(rest.Length, FlushBytes)], body);
                await body.FlushAsync(ct);
            }
        }

        if (pieces.Count > 0) SegmentForm.Write(form.Close, body);
        await body.FlushAsync(ct);
    }
}
