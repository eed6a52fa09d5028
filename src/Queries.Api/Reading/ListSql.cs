using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The SQL texts of the lists: fixed fragments and parameter numbers, never a value, so that each text is built and
/// prepared once. The parameters are those of the filters, in their order, then those that each text needs.
/// </summary>
internal static partial class ListSql
{
    private static readonly ConcurrentDictionary<(string Resource, int Shape, ScanStart Start, string Form), string>
        texts = new();

    /// <summary>
    /// Rows from a start on. Parameters: value and id of the start's position, if any, then how many rows.
    /// </summary>
    public static string Page(ListQuery list, ScanStart start) => Text(list, start, nameof(Page), PageText);

    /// <summary>
    /// The same rows as one row: how many, their bytes, id and value of the last, and the documents with a separator
    /// between them, null if they have too many bytes. The last two parameters are the separator and the most bytes.
    /// </summary>
    public static string Chunk(ListQuery list, ScanStart start) => Text(list, start, nameof(Chunk), ChunkText);

    /// <summary>A numbered page. Parameters: how many rows, then how many before them.</summary>
    public static string Numbered(ListQuery list) => Text(list, ScanStart.Beginning, nameof(Numbered), NumberedText);

    /// <summary>The same with the counts of segments, in the order of ids; their key is a third parameter.</summary>
    public static string NumberedBySegments(ListQuery list) =>
        Text(list, ScanStart.Beginning, nameof(NumberedBySegments), NumberedBySegmentsText);

    public static string Count(ListQuery list) => Text(list, ScanStart.Beginning, nameof(Count), CountText);

    /// <summary>The filters that a text with this start contains.</summary>
    public static IEnumerable<FilterValue> AppliedFilters(ListQuery list, ScanStart start) =>
        list.Filters.Where(one => !IsImplied(list, one, start));

    // With two bounds at the side where a scan begins, PostgreSQL may choose either; with that of the range every page
    // would scan from the range's first row.
    private static bool IsImplied(ListQuery list, FilterValue one, ScanStart start)
    {
        if (start.At is not { IsInList: true } || !one.Condition.Sorts.Contains(list.Sort.Name)) return false;
        return one.Condition.IndexUse == (IsUpwards(list, start) ? IndexUse.LowerBound : IndexUse.UpperBound);
    }

    private static bool IsUpwards(ListQuery list, ScanStart start) => list.Sort.IsDescending == start.IsBackwards;

    private static string Text(ListQuery list, ScanStart start, string form, Func<ListQuery, ScanStart, string> make)
    {
        // The text depends on the kind of the start only.
        var kind = start with { At = start.At is { } at ? new KeysetPosition(null, 0, at.IsInList) : null };
        var key = (list.Resource.Name, list.Shape, kind, form);
        if (texts.TryGetValue(key, out var known)) return known;
        // A caller could go through the ten thousand combinations of filters and sorts that products have.
        if (texts.Count >= 2_000) texts.Clear();
        return texts.GetOrAdd(key, make(list, start));
    }

    private static string PageText(ListQuery list, ScanStart start) => PageParts(list, start).Text;

    private static (string Text, int Next) PageParts(ListQuery list, ScanStart start)
    {
        var (conditions, next) = ConditionsFrom(list, start);
        var value = SortColumn(list) is { } column ? $", {column} AS value" : "";
        var columns = $"id, {list.Resource.Body} AS body{value}";
        var sql = $"SELECT {columns} FROM {Rows(list)} WHERE {conditions} ORDER BY {Order(list, start)}";
        return (Invariant($"{sql} LIMIT ${next}"), next + 1);
    }

    private static (string Text, int Next) ConditionsFrom(ListQuery list, ScanStart start, bool isBounded = false)
    {
        var (conditions, next) = Conditions(list, start, isBounded);
        if (start.At is not null)
        {
            var sign = IsUpwards(list, start) ? '>' : '<';
            var lead = list.LeadingFilter is { } leading ? $"{ParameterOf(list, leading)}, " : "";
            var value = SortColumn(list) is null ? "" : Invariant($"${next++}, ");
            conditions += Invariant($" AND ({string.Join(", ", Columns(list))}) {sign} ({lead}{value}${next++})");
        }

        return (conditions, next);
    }

    // One row for each document would cost both sides more than the documents do.
    private static string ChunkText(ListQuery list, ScanStart start)
    {
        var (page, next) = PageParts(list, start);
        var last = list.Sort.Column is null ? "" : ", (array_agg(value))[count(*)]";
        return Invariant($"""
            SELECT count(*), sum(octet_length(body)), (array_agg(id))[count(*)]{last},
                   CASE WHEN count(*) = 1 OR sum(octet_length(body)) <= ${next + 1} THEN string_agg(body, ${next}) END
            FROM ({page}) page
            """);
    }

    private static string CountText(ListQuery list, ScanStart start) =>
        $"SELECT count(*) FROM {Rows(list)} WHERE {Conditions(list, start).Text}";

    private static (string Text, int Next) Conditions(ListQuery list, ScanStart start, bool isBounded = false)
    {
        var text = new StringBuilder("NOT is_deleted");
        var next = 1;
        foreach (var (filter, value) in AppliedFilters(list, start))
        {
            if (isBounded && filter.For(value).IndexUse == IndexUse.Common) continue;
            var parameter = filter.IsFlag ? "" : Invariant($"${next++}");
            var sql = filter == list.LeadingFilter ? LeadSql(list, start) : filter.For(value).SqlIn(list.Sort);
            text.Append(" AND ").Append(string.Format(CultureInfo.InvariantCulture, sql, parameter));
        }

        return (text.ToString(), next);
    }

    // With an equality the planner would drop the column from the order and might scan all ids for a rare value.
    private static string LeadSql(ListQuery list, ScanStart start)
    {
        var column = list.LeadingFilter!.Condition.EqualColumn;
        if (start.At is null) return $"{column} >= {{0}} AND {column} <= {{0}}";
        return IsUpwards(list, start) ? $"{column} <= {{0}}" : $"{column} >= {{0}}";
    }

    private static string ParameterOf(ListQuery list, Filter filter)
    {
        var parameters = list.Filters.Where(one => !one.Filter.IsFlag);
        return Invariant($"${1 + parameters.TakeWhile(one => one.Filter != filter).Count()}");
    }

    private static string? SortColumn(ListQuery list) => list.Sort.RequiredFilter is { } filter
        ? list.Sort.Column!.Replace("{0}", ParameterOf(list, list.Resource.FilterNamed(filter)))
        : list.Sort.Column;

    internal static string Rows(ListQuery list) =>
        list.Sort.SideTable is var (table, id) ? $"{list.Resource.Table} JOIN {table} ON {id} = id"
            : list.Resource.Table;

    private static string Order(ListQuery list, ScanStart start)
    {
        var down = IsUpwards(list, start) ? "" : " DESC";
        return string.Join(", ", Columns(list).Select(column => column + down));
    }

    // Those of the index that has the list's rows in the list's order.
    private static IEnumerable<string> Columns(ListQuery list) =>
        ((string?[])[list.LeadingFilter?.Condition.EqualColumn, SortColumn(list), list.Sort.IdColumn]).OfType<string>();

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
