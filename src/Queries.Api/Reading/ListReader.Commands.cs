using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>The statements with their parameters.</summary>
internal sealed partial class ListReader
{
    private const string EpochSql = $"SELECT epoch FROM {ReadTables.ProjectionState}";

    internal static NpgsqlBatchCommand EpochCommand() => new(EpochSql);

    /// <summary>Reads a page; of a walk only what is among the next rows of its index.</summary>
    internal static NpgsqlBatchCommand PageCommand(ListQuery list, ScanStart start, int take) =>
        PageCommand(list.IsWalk ? ListSql.Walk(list, start) : ListSql.Page(list, start), list, start, take);

    /// <summary>Reads a page, of a walk too, wherever its rows are.</summary>
    internal static NpgsqlBatchCommand WholeCommand(ListQuery list, ScanStart start, int take) =>
        PageCommand(ListSql.Page(list, start), list, start, take);

    // One row more than the page shows whether there are more, without a count.
    private static NpgsqlBatchCommand PageCommand(string sql, ListQuery list, ScanStart start, int take)
    {
        var command = StartCommand(sql, list, start);
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
