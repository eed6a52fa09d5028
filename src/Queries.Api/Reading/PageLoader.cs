using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads pages behind cursors. Index scans that are requested concurrently share a round trip: each of them costs
/// PostgreSQL about as little as the round trip does. A search is read alone, so that no other page waits for it.
/// </summary>
internal sealed class PageLoader
{
    private const int Largest = 16;

    /// <summary>Round trips at a time: more than there are processors would only make the batches smaller.</summary>
    internal static readonly int Concurrency = Math.Max(2, Environment.ProcessorCount);

    private readonly NpgsqlDataSource scans;
    private readonly ListReader lists;
    private readonly BatchLoader<PageRead, ReadPage> batches;

    public PageLoader(NpgsqlDataSource scans, ListReader lists)
    {
        (this.scans, this.lists) = (scans, lists);
        batches = new(LoadAsync, Largest, Concurrency, async (read, ct) => await AloneAsync(read, ct));
    }

    /// <summary>The page as of the call or later; the caller disposes of it.</summary>
    public async Task<ReadPage> ReadAsync(ListQuery list, ScanStart start, int take, CancellationToken ct)
    {
        var read = new PageRead(list, start, take);
        return list.IsIndexScan ? (await batches.LoadAsync(read, ct))! : await AloneAsync(read, ct);
    }

    private Task<ReadPage> AloneAsync(PageRead read, CancellationToken ct) =>
        lists.PageAsync(read.List, read.Start, read.Take, ct);

    private async Task LoadAsync(IReadOnlyList<BatchRequest<PageRead, ReadPage>> requests)
    {
        await using var batch = scans.CreateBatch();
        batch.BatchCommands.Add(ListReader.EpochCommand());
        foreach (var (list, start, take) in requests.Select(request => request.Key))
        {
            batch.BatchCommands.Add(ListReader.PageCommand(list, start, take));
        }

        await using var rows = await batch.ExecuteReaderAsync();
        var epoch = await ListReader.EpochAsync(rows, CancellationToken.None);
        foreach (var request in requests)
        {
            var (list, start, take) = request.Key;
            await rows.NextResultAsync();
            // The page of a caller that has left is not returned to the pool: whether it was taken cannot be known.
            request.Complete(await ListReader.PageAsync(rows, epoch, list, start, take, CancellationToken.None));
        }
    }

    private readonly record struct PageRead(ListQuery List, ScanStart Start, int Take);
}

/// <summary>The documents of a page, and the epoch for its cursors.</summary>
internal sealed record ReadPage(long Epoch, Slice Slice, PooledBuffer Text) : IDisposable
{
    public void Dispose() => Text.Dispose();
}
