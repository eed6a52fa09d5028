using ApexShop.Queries.Api.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads numbered pages, positions and counts of lists. Index scans and searches use different connections: the former
/// have generic plans, the latter are planned with their values each time.
/// </summary>
internal sealed class ListReader(ReadDatabase database, ExpensiveCounts expensive)
{
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
        batch.BatchCommands.Add(ListCommands.NumberedCommand(request.List, request.Size, request.Offset));
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
    public Task<long> CountAsync(ListQuery list, CancellationToken ct)
    {
        var sql = ListSql.Count(list);
        return expensive.RunAsync(list.Identity(), () => database.Searches[list.Resource.Name].RunAsync(
            source => NumberAsync(source, ListCommands.Command(sql, list, ScanStart.Beginning), ct), ct));
    }

    /// <summary>Counts them by the values of each facet, on the same connections, in the order of the values.</summary>
    public Task<IReadOnlyList<FacetCount>> FacetsAsync(ListQuery list, CancellationToken ct) =>
        expensive.RunAsync($"{list.Identity()} facets", () => FacetsInTurnAsync(list, ct));

    private async Task<IReadOnlyList<FacetCount>> FacetsInTurnAsync(ListQuery list, CancellationToken ct)
    {
        var turn = database.FacetTurn(list);
        if (!await turn.WaitAsync(database.LongestWait, ct)) throw new SearchBusyException();
        try
        {
            return await database.Searches[list.Resource.Name].RunAsync(source => FacetsAsync(source, list, ct), ct);
        }
        finally
        {
            turn.Release();
        }
    }

    private static async Task<IReadOnlyList<FacetCount>> FacetsAsync(
        NpgsqlDataSource source, ListQuery list, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(ListCommands.Command(ListSql.Facets(list), list, ScanStart.Beginning));
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
            $"SELECT coalesce(sum({counts.CountColumn}), 0) FROM {counts.Table} WHERE {counts.KeyColumn} = $1");
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
}
