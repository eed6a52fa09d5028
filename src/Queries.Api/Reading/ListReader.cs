using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads pages, positions and counts of lists. Index scans and searches use different connections: the former have
/// generic plans, the latter are planned with their values each time.
/// </summary>
internal sealed class ListReader(ReadDatabase database)
{
    private const string EpochSql = $"SELECT epoch FROM {ReadTables.ProjectionState}";

    /// <summary>A page in the list's order, also when it is read backwards; the caller disposes of it.</summary>
    public Task<LoadedPage> PageAsync(ListQuery list, ScanStart start, int take, CancellationToken ct) =>
        database.RunAsync(list, source => PageAsync(source, list, start, take, ct), ct);

    private static async Task<LoadedPage> PageAsync(
        NpgsqlDataSource source, ListQuery list, ScanStart start, int take, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(EpochCommand());
        batch.BatchCommands.Add(PageCommand(list, start, take));
        await using var rows = await batch.ExecuteReaderAsync(delayed.Token);
        var epoch = await EpochAsync(rows, delayed.Token);
        await rows.NextResultAsync(delayed.Token);
        return await PageAsync(rows, epoch, list, start, take, delayed.Token);
    }

    /// <summary>Appends the documents of a numbered page.</summary>
    public Task<DocumentRange> NumberedAsync(NumberedPage request, PooledBuffer page, CancellationToken ct)
    {
        Task<DocumentRange> ReadAsync(NpgsqlDataSource source) => NumberedAsync(source, request, page, ct);
        return request is { List.IsIndexScan: true, IsDeep: true }
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

    internal static NpgsqlBatchCommand EpochCommand() => new(EpochSql);

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

    // One row more than the page shows whether there are more, without a count.
    internal static NpgsqlBatchCommand PageCommand(ListQuery list, ScanStart start, int take)
    {
        var command = StartCommand(ListSql.Page(list, start), list, start);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = take + 1 });
        return command;
    }

    /// <summary>A text with a start: the parameters of its filters, then those of the start's position.</summary>
    internal static NpgsqlBatchCommand StartCommand(string sql, ListQuery list, ScanStart start)
    {
        var command = Command(sql, list, start);
        if (start.At is { } at)
        {
            if (list.Sort.Kind is { } kind) command.Parameters.Add(kind.Parameter(at.Value!));
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = at.Id });
        }

        return command;
    }

    internal static NpgsqlBatchCommand NumberedCommand(ListQuery list, int take, long offset)
    {
        var segments = offset >= ReadTables.SegmentSize ? list.CountsBeforePage() : null;
        var sql = segments is null ? ListSql.Numbered(list) : ListSql.NumberedBySegments(list);
        var command = Command(sql, list, ScanStart.Beginning);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = take });
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = offset });
        if (segments is var (counts, key)) command.Parameters.Add(counts.Kind.Parameter(key));
        return command;
    }

    internal static NpgsqlBatchCommand Command(string sql, ListQuery list, ScanStart start)
    {
        var command = new NpgsqlBatchCommand(sql);
        foreach (var (filter, value) in ListSql.AppliedFilters(list, start))
        {
            if (!filter.IsFlag) command.Parameters.Add(filter.Kind.Parameter(value));
        }

        return command;
    }
}
