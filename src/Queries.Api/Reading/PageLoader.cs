using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads pages behind cursors. Short scans that are requested concurrently share a round trip. A search or a walk is
/// read alone, so that no other page waits for it.
/// </summary>
internal sealed class PageLoader
{
    private const int Largest = 16;

    /// <summary>Round trips at a time: more than there are processors would only make the batches smaller.</summary>
    internal static readonly int Concurrency = Math.Max(2, Environment.ProcessorCount);

    private readonly NpgsqlDataSource scans;
    private readonly ListReader lists;
    private readonly BatchLoader<PageScan, LoadedPage> batches;

    public PageLoader(NpgsqlDataSource scans, ListReader lists, IOptions<ReadingOptions> reading)
    {
        (this.scans, this.lists) = (scans, lists);
        var limit = TimeSpan.FromSeconds(reading.Value.GatheredSeconds);
        batches = new(LoadAsync, Largest, Concurrency, limit, async (scan, ct) => await AloneAsync(scan, ct));
    }

    /// <summary>The page as of the call or later; the caller disposes of it.</summary>
    public async Task<LoadedPage> ReadAsync(ListQuery list, ScanStart start, int take, CancellationToken ct)
    {
        var scan = new PageScan(list, start, take);
        return list.IsShortScan ? (await batches.LoadAsync(scan, ct))! : await AloneAsync(scan, ct);
    }

    private Task<LoadedPage> AloneAsync(PageScan scan, CancellationToken ct) =>
        lists.PageAsync(scan.List, scan.Start, scan.Take, ct);

    private async Task LoadAsync(IReadOnlyList<BatchRequest<PageScan, LoadedPage>> requests, CancellationToken ct)
    {
        await using var batch = scans.CreateBatch();
        batch.BatchCommands.Add(ListReader.EpochCommand());
        foreach (var scan in requests.Select(request => request.Key))
        {
            batch.BatchCommands.Add(ListReader.PageCommand(scan.List, scan.Start, scan.Take));
        }

        await using var rows = await batch.ExecuteReaderAsync(ct);
        var epoch = await ListReader.EpochAsync(rows, ct);
        foreach (var request in requests)
        {
            var scan = request.Key;
            await rows.NextResultAsync(ct);
            // The page of a caller that has left is not returned to the pool: whether it was taken cannot be known.
            request.Complete(await ListReader.PageAsync(rows, epoch, scan.List, scan.Start, scan.Take, ct));
        }
    }

    // Not a record: equal scans are different keys, because each caller disposes of a page of its own.
    private sealed class PageScan(ListQuery list, ScanStart start, int take)
    {
        public ListQuery List => list;

        public ScanStart Start => start;

        public int Take => take;
    }
}

/// <summary>The documents of a page, and the epoch for its cursors.</summary>
internal sealed record LoadedPage(long Epoch, DocumentRange Range, PooledBuffer Text) : IDisposable
{
    public void Dispose() => Text.Dispose();
}
