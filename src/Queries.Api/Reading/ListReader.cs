using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Reads pieces of lists. Lists that are walks and lists that are searches may take different connections: the former
/// keep their plans, the latter are planned with their values each time.
/// </summary>
internal sealed class ListReader(NpgsqlDataSource walks, NpgsqlDataSource searches)
{
    private const string EpochSql = $"SELECT epoch FROM {ReadTables.ProjectionState}";

    /// <summary>A page, forwards also when it is read backwards; it is the caller's to dispose of.</summary>
    public async Task<ReadPage> PageAsync(ListQuery list, Start start, int take, CancellationToken ct)
    {
        await using var batch = SourceOf(list).CreateBatch();
        batch.BatchCommands.Add(EpochCommand());
        batch.BatchCommands.Add(PageCommand(list, start, take));
        await using var rows = await batch.ExecuteReaderAsync(ct);
        var epoch = await EpochAsync(rows, ct);
        await rows.NextResultAsync(ct);
        return await PageAsync(rows, epoch, list, start, take, ct);
    }

    /// <summary>Appends a page by its number; however deep it lies, in the order of ids it costs about the same.</summary>
    public async Task<Slice> NumberedAsync(ListQuery list, PageRequest page, PooledBuffer into, CancellationToken ct)
    {
        await using var batch = SourceOf(list).CreateBatch();
        batch.BatchCommands.Add(NumberedCommand(list, page));
        await using var rows = await batch.ExecuteReaderAsync(ct);
        return await new RowCopy(null, page.Size).ForwardsAsync(rows, into, ct);
    }

    /// <summary>Where a living document stands in the list, whether or not it is among its rows.</summary>
    public async Task<Position?> PositionOfAsync(ListQuery list, int id, CancellationToken ct)
    {
        // Ids need no look: also behind one that is gone or never was there is a next one.
        if (list.Sort is not { Column: { } column, Kind: { } kind }) return new Position(null, id, IsInside: false);

        await using var command = walks.CreateCommand(
            $"SELECT {column} FROM {ListSql.Rows(list)} WHERE id = $1 AND NOT is_deleted");
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = id });
        await using var rows = await command.ExecuteReaderAsync(ct);
        return await rows.ReadAsync(ct) ? new Position(kind.Read(rows, 0), id, IsInside: false) : null;
    }

    private NpgsqlDataSource SourceOf(ListQuery list) => list.IsWalk ? walks : searches;

    internal static NpgsqlBatchCommand EpochCommand() => new(EpochSql);

    internal static async Task<long> EpochAsync(NpgsqlDataReader rows, CancellationToken ct) =>
        await rows.ReadAsync(ct) ? rows.GetInt64(0) : throw new InvalidOperationException("The read schema has no state.");

    /// <summary>Takes a page from the rows of its statement.</summary>
    internal static async Task<ReadPage> PageAsync(
        NpgsqlDataReader rows, long epoch, ListQuery list, Start start, int take, CancellationToken ct)
    {
        var copy = new RowCopy(list.Sort, take);
        var text = PageEnvelope.Open();
        return new ReadPage(
            epoch, start.IsBackwards ? await copy.BackwardsAsync(rows, text, ct) : await copy.ForwardsAsync(rows, text, ct), text);
    }

    // A row more than was asked for is the answer to "is there more?", without a count.
    internal static NpgsqlBatchCommand PageCommand(ListQuery list, Start start, int take)
    {
        var command = StartCommand(ListSql.Page(list, start), list, start);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = take + 1 });
        return command;
    }

    /// <summary>A text that begins at a start, with its filters and the start's place.</summary>
    internal static NpgsqlBatchCommand StartCommand(string sql, ListQuery list, Start start)
    {
        var command = Command(sql, list, start);
        if (start.At is { } at)
        {
            if (list.Sort.Kind is { } kind) command.Parameters.Add(kind.Parameter(at.Value!));
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = at.Id });
        }

        return command;
    }

    internal static NpgsqlBatchCommand NumberedCommand(ListQuery list, PageRequest page)
    {
        var ruled = list.Sort.Column is null && page.Offset >= ReadTables.SegmentSize ? list.Ruler() : null;
        var command = Command(ruled is null ? ListSql.Numbered(list) : ListSql.Ruled(list), list, Start.Beginning);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = page.Size });
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = page.Offset });
        if (ruled is var (ruler, key)) command.Parameters.Add(ruler.Kind.Parameter(key));
        return command;
    }

    internal static NpgsqlBatchCommand Command(string sql, ListQuery list, Start start)
    {
        var command = new NpgsqlBatchCommand(sql);
        foreach (var (filter, value) in ListSql.Asked(list, start))
        {
            if (!filter.IsFlag) command.Parameters.Add(filter.Kind.Parameter(value));
        }

        return command;
    }
}
