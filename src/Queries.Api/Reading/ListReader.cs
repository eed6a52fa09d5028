using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads pages, positions and counts of lists. Index scans and searches use different connections: the former have
/// generic plans, the latter are planned with their values each time. A walk whose next rows do not fill the page is
/// read again as a search: the rest of the index may be longer than any other way.
/// </summary>
internal sealed partial class ListReader(ReadDatabase database)
{
    // Facets read all rows of their list. One at a time, so that searches keep the other connections.
    private static readonly SemaphoreSlim facetTurn = new(1);

    /// <summary>A page in the list's order, also when it is read backwards; the caller disposes of it.</summary>
    public async Task<LoadedPage> PageAsync(ListQuery list, ScanStart start, int take, CancellationToken ct)
    {
        if (list.IsWalk)
        {
            var near = await database.Walks[list.Resource.Name].RunAsync(
                source => PageAsync(source, PageCommand(list, start, take), list, start, take, ct), ct);
            if (near.Range.HasMore) return near;
            near.Dispose();
        }

        return await database.RunAsync(
            list, source => PageAsync(source, WholeCommand(list, start, take), list, start, take, ct), ct);
    }

    private static async Task<LoadedPage> PageAsync(
        NpgsqlDataSource source, NpgsqlBatchCommand command, ListQuery list, ScanStart start, int take,
        CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(EpochCommand());
        batch.BatchCommands.Add(command);
        await using var rows = await batch.ExecuteReaderAsync(delayed.Token);
        var epoch = await EpochAsync(rows, delayed.Token);
        await rows.NextResultAsync(delayed.Token);
        return await PageAsync(rows, epoch, list, start, take, delayed.Token);
    }

    /// <summary>Appends the documents of a numbered page.</summary>
    public Task<DocumentRange> NumberedAsync(NumberedPage request, PooledBuffer page, CancellationToken ct)
    {
        Task<DocumentRange> ReadAsync(NpgsqlDataSource source) => NumberedAsync(source, request, page, ct);
        return request is { List.IsShortScan: true, IsDeep: true }
            ? database.DeepPages[request.List.Resource.Name].RunAsync(ReadAsync, ct)
            : database.RunAsync(request.List, ReadAsync, ct);
    }

    private static async Task<DocumentRange> NumberedAsync(
        NpgsqlDataSource source, NumberedPage request, PooledBuffer page, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(NumberedCommand(request.List, request.Size, request.Offset));
        await using var rows = await batch.ExecuteReaderAsync(delayed.Token);
        return await new PageWriter(null, request.Size).ForwardsAsync(rows, page, delayed.Token);
    }

    /// <summary>The position that a document has in the list's order, whether or not the list contains it.</summary>
    public async Task<KeysetPosition?> PositionOfAsync(ListQuery list, int id, CancellationToken ct)
    {
        // An id is a position even if there is no document with it.
        if (list.Sort is not { Column: { } column, Kind: { } kind })
            return new KeysetPosition(null, id, IsInList: false);

        using var delayed = DelayedCancellation.Of(ct);
        await using var command = database.Pages.CreateCommand(
            $"SELECT {column} FROM {ListSql.Rows(list)} WHERE id = $1 AND NOT is_deleted");
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = id });
        await using var rows = await command.ExecuteReaderAsync(delayed.Token);
        return await rows.ReadAsync(delayed.Token) ? new KeysetPosition(kind.Read(rows, 0), id, IsInList: false) : null;
    }

    /// <summary>Counts the documents of a list, on few connections and for a limited time.</summary>
    public Task<long> CountAsync(ListQuery list, CancellationToken ct) =>
        database.Searches[list.Resource.Name].RunAsync(
            source => NumberAsync(source, Command(ListSql.Count(list), list, ScanStart.Beginning), ct), ct);

    /// <summary>Counts them by the values of each facet, on the same connections, in the order of the values.</summary>
    public async Task<IReadOnlyList<FacetCount>> FacetsAsync(ListQuery list, CancellationToken ct)
    {
        await facetTurn.WaitAsync(ct);
        try
        {
            return await database.Searches[list.Resource.Name].RunAsync(source => FacetsAsync(source, list, ct), ct);
        }
        finally
        {
            facetTurn.Release();
        }
    }

    private static async Task<IReadOnlyList<FacetCount>> FacetsAsync(
        NpgsqlDataSource source, ListQuery list, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(Command(ListSql.Facets(list), list, ScanStart.Beginning));
        await using var rows = await batch.ExecuteReaderAsync(delayed.Token);
        var counts = new List<FacetCount>();
        while (await rows.ReadAsync(delayed.Token))
            counts.Add(FacetCount.Of(list.Resource, rows.GetInt32(0), rows.GetInt32(1), rows.GetInt64(2)));
        return counts;
    }

    /// <summary>Adds up the counts of segments.</summary>
    public Task<long> TotalAsync(SegmentCounts counts, object key, CancellationToken ct)
    {
        var command = new NpgsqlBatchCommand(
            $"SELECT coalesce(sum({counts.Count}), 0) FROM {counts.Table} WHERE {counts.Key} = $1");
        command.Parameters.Add(counts.Kind.Parameter(key));
        return NumberAsync(database.Pages, command, ct);
    }

    private static async Task<long> NumberAsync(
        NpgsqlDataSource source, NpgsqlBatchCommand command, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(command);
        return (long)(await batch.ExecuteScalarAsync(delayed.Token))!;
    }

    internal static async Task<long> EpochAsync(NpgsqlDataReader rows, CancellationToken ct) =>
        await rows.ReadAsync(ct)
            ? rows.GetInt64(0)
            : throw new InvalidOperationException("The read schema has no state.");

    /// <summary>Copies a page from the rows of its statement.</summary>
    internal static async Task<LoadedPage> PageAsync(
        NpgsqlDataReader rows, long epoch, ListQuery list, ScanStart start, int take, CancellationToken ct)
    {
        var writer = new PageWriter(list.Sort, take);
        var page = PageWriter.Open();
        var range = start.IsBackwards
            ? await writer.BackwardsAsync(rows, page, ct)
            : await writer.ForwardsAsync(rows, page, ct);
        return new LoadedPage(epoch, range, page);
    }
}
