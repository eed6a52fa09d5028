using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>The statements of lists with their parameters.</summary>
internal static class ListCommands
{
    private const string EpochSql = $"SELECT epoch FROM {ReadTables.Epoch}";

    /// <summary>Reads the epoch of the read schema.</summary>
    public static NpgsqlBatchCommand EpochCommand() => new(EpochSql);

    /// <summary>The epoch from the row of that statement.</summary>
    public static async Task<long> EpochAsync(NpgsqlDataReader rows, CancellationToken ct) =>
        await rows.ReadAsync(ct)
            ? rows.GetInt64(0)
            : throw new InvalidOperationException("The read schema has no state.");

    /// <summary>Reads a page, of a walk too, wherever its rows are.</summary>
    public static NpgsqlBatchCommand PageCommand(ListQuery list, ScanStart start, int take) =>
        PageCommand(ListSql.Page(list, start), list, start, take);

    /// <summary>Reads of a walk's page what is among the next rows of its index.</summary>
    public static NpgsqlBatchCommand WalkCommand(ListQuery list, ScanStart start, int take) =>
        PageCommand(ListSql.Walk(list, start), list, start, take);

    // One row more than the page shows whether there are more, without a count.
    private static NpgsqlBatchCommand PageCommand(string sql, ListQuery list, ScanStart start, int take)
    {
        var command = StartCommand(sql, list, start);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = take + 1 });
        return command;
    }

    /// <summary>A text with a start: the parameters of its filters, then those of the start's position.</summary>
    public static NpgsqlBatchCommand StartCommand(string sql, ListQuery list, ScanStart start)
    {
        var command = Command(sql, list, start);
        if (start.At is { } at)
        {
            if (list.Sort.Kind is { } kind) command.Parameters.Add(kind.Parameter(at.Value!));
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = at.Id });
        }

        return command;
    }

    public static NpgsqlBatchCommand NumberedCommand(ListQuery list, int take, long offset)
    {
        var segments = offset >= ReadTables.SegmentSize ? list.CountsBeforePage() : null;
        var sql = segments is null ? ListSql.Numbered(list) : ListSql.NumberedBySegments(list);
        var command = Command(sql, list, ScanStart.Beginning);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = take });
        command.Parameters.Add(new NpgsqlParameter<long> { TypedValue = offset });
        if (segments is var (counts, key)) command.Parameters.Add(counts.Kind.Parameter(key));
        return command;
    }

    public static NpgsqlBatchCommand Command(string sql, ListQuery list, ScanStart start)
    {
        var command = new NpgsqlBatchCommand(sql);
        foreach (var (filter, value) in ListSql.AppliedFilters(list, start))
        {
            if (!filter.IsFlag) command.Parameters.Add(filter.Kind.Parameter(value));
        }

        return command;
    }
}
