using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads pages behind cursors. Short scans that are requested concurrently share a round trip, and so do walks of one
/// resource. A search is read alone, so that no other page waits for it.
/// </summary>
internal sealed class PageLoader
{
    private const int Largest = 16;

    /// <summary>Most walks of a round trip: PostgreSQL may need a millisecond for each of them.</summary>
    internal const int MostWalks = 8;

    /// <summary>Round trips at a time: more than there are processors would only make the batches smaller.</summary>
    internal static readonly int Concurrency = Math.Max(2, Environment.ProcessorCount);

    private readonly ReadDatabase database;
    private readonly BatchLoader<PageScan, LoadedPage> batches;
    private readonly Dictionary<string, BatchLoader<PageScan, LoadedPage>> walks;

    public PageLoader(ReadDatabase database, IOptions<ReadingOptions> reading)
    {
        this.database = database;
        var options = reading.Value;
        batches = new(
            (requests, ct) => LoadAsync(database.Pages, ListCommands.PageCommand, requests, ct),
            Largest,
            Concurrency,
            TimeSpan.FromSeconds(options.StatementSeconds),
            async (scan, ct) => await ReadAloneAsync(scan, ct));
        walks = database.Walks.ToDictionary(pool => pool.Key, pool => new BatchLoader<PageScan, LoadedPage>(
            (requests, ct) =>
                pool.Value.RunAsync(source => LoadAsync(source, ListCommands.WalkCommand, requests, ct), ct),
            MostWalks,
            options.WalkConnections,
            ReadDatabase.LongestStatement,
            // The failure may have been of another walk, so it is read as a search.
            (_, _) => throw new WalkTooShortException(),
            TimeSpan.FromSeconds(options.WaitSeconds)));
    }

    /// <summary>
    /// The page as of the call or later, in the list's order also when it is read backwards. The caller disposes of it.
    /// </summary>
    public async Task<LoadedPage> ReadAsync(ListQuery list, ScanStart start, int take, CancellationToken ct)
    {
        var scan = new PageScan(list, start, take);
        return list.IsShortScan ? (await batches.LoadAsync(scan, ct))! : await ReadAloneAsync(scan, ct);
    }

    // Returns the number of pages.
    private static async Task<int> LoadAsync(
        NpgsqlDataSource source,
        Func<ListQuery, ScanStart, int, NpgsqlBatchCommand> command,
        IReadOnlyList<BatchRequest<PageScan, LoadedPage>> requests,
        CancellationToken ct)
    {
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(ListCommands.EpochCommand());
        foreach (var scan in requests.Select(request => request.Key))
        {
            batch.BatchCommands.Add(command(scan.List, scan.Start, scan.Take));
        }

        await using var rows = await batch.ExecuteReaderAsync(ct);
        var epoch = await ListCommands.EpochAsync(rows, ct);
        foreach (var request in requests)
        {
            // The page of a caller that has left is not returned to the pool: whether it was taken cannot be known.
            request.Complete(await PageAsync(rows, epoch, request.Key, ct));
        }

        return requests.Count;
    }

    /// <summary>The page of a walk, from the next rows of its index.</summary>
    /// <exception cref="WalkTooShortException">They do not fill the page, or a walk beside it failed.</exception>
    /// <exception cref="SearchBusyException">Those before it took too long.</exception>
    public async Task<LoadedPage> ReadNearAsync(ListQuery list, ScanStart start, int take, CancellationToken ct)
    {
        try
        {
            var page = (await walks[list.Resource.Name].LoadAsync(new(list, start, take), ct))!;
            if (page.Range.HasMore) return page;
            page.Dispose();
            throw new WalkTooShortException();
        }
        catch (TimeoutException)
        {
            throw new SearchBusyException();
        }
    }

    internal Task<LoadedPage> ReadAloneAsync(PageScan scan, CancellationToken ct) =>
        database.RunAsync(scan.List, source => ReadAloneAsync(source, scan, ct), ct);

    private static async Task<LoadedPage> ReadAloneAsync(NpgsqlDataSource source, PageScan scan, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(ListCommands.EpochCommand());
        batch.BatchCommands.Add(ListCommands.PageCommand(scan.List, scan.Start, scan.Take));
        await using var rows = await batch.ExecuteReaderAsync(delayed.Token);
        return await PageAsync(rows, await ListCommands.EpochAsync(rows, delayed.Token), scan, delayed.Token);
    }

    // The page is the next result of the batch.
    private static async Task<LoadedPage> PageAsync(
        NpgsqlDataReader rows, long epoch, PageScan scan, CancellationToken ct)
    {
        await rows.NextResultAsync(ct);
        var writer = new PageWriter(scan.List.Sort, scan.Take);
        var page = PageWriter.Open();
        var range = scan.Start.IsBackwards
            ? await writer.BackwardsAsync(rows, page, ct)
            : await writer.ForwardsAsync(rows, page, ct);
        return new LoadedPage(epoch, range, page);
    }

    // Not a record: equal scans are different keys, because each caller disposes of a page of its own.
    internal sealed class PageScan(ListQuery list, ScanStart start, int take)
    {
        public ListQuery List => list;

        public ScanStart Start => start;

        public int Take => take;
    }
}

/// <summary>
/// The next rows of a walk's index do not fill the page. It has to be read as a search: the rest of the index may be
/// longer than any other way.
/// </summary>
internal sealed class WalkTooShortException() : Exception("The walk does not fill the page.");

/// <summary>The documents of a page, and the epoch for its cursors.</summary>
internal sealed record LoadedPage(long Epoch, DocumentRange Range, PooledBuffer Text) : IDisposable
{
    public void Dispose() => Text.Dispose();
}
