using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The SQL texts of the lists: fixed fragments and parameter places, never a value, so that each text is made and
/// prepared once. Parameters are the filters' in their order, then those that each text names.
/// </summary>
internal static class ListSql
{
    private static readonly ConcurrentDictionary<(string Resource, int Shape, Start Start, string Form), string> texts = new();

    /// <summary>Rows from a start on: value and id of the start if it has one, then how many rows.</summary>
    public static string Page(ListQuery list, Start start) => Text(list, start, nameof(Page), PageText);

    /// <summary>Rows by their number: how many, then how many before them.</summary>
    public static string Numbered(ListQuery list) => Text(list, Start.Beginning, nameof(Numbered), NumberedText);

    /// <summary>The same for a list in the order of ids with a ruler: how many, how many before, the ruler's key.</summary>
    public static string Ruled(ListQuery list) => Text(list, Start.Beginning, nameof(Ruled), RuledText);

    public static string Count(ListQuery list) => Text(list, Start.Beginning, nameof(Count), CountText);

    /// <summary>The filters whose parameters a text of this start has.</summary>
    public static IEnumerable<Given> Asked(ListQuery list, Start start) => list.Given.Where(one => !IsImplied(list, one, start));

    // Of two bounds at the end where a scan begins PostgreSQL takes either, and the range's own would make every page
    // begin at the first one.
    private static bool IsImplied(ListQuery list, Given one, Start start)
    {
        if (start.At is not { IsInside: true } || !one.Condition.Sorts.Contains(list.Sort.Name)) return false;
        return one.Condition.Reach == (IsUpwards(list, start) ? Reach.From : Reach.UpTo);
    }

    private static bool IsUpwards(ListQuery list, Start start) => list.Sort.IsDescending == start.IsBackwards;

    private static string Text(ListQuery list, Start start, string form, Func<ListQuery, Start, string> make)
    {
        // Of a start the text needs its kind only.
        var kind = start with { At = start.At is { } at ? new Position(null, 0, at.IsInside) : null };
        return texts.GetOrAdd(
            (list.Resource.Name, list.Shape, kind, form), static (_, made) => made.make(made.list, made.start), (make, list, start));
    }

    private static string PageText(ListQuery list, Start start)
    {
        var (conditions, next) = Conditions(list, start);
        if (start.At is not null)
        {
            var sign = IsUpwards(list, start) ? '>' : '<';
            conditions += list.Sort.Column is { } column
                ? Invariant($" AND ({column}, id) {sign} (${next++}, ${next++})")
                : Invariant($" AND id {sign} ${next++}");
        }

        return Invariant(
            $"SELECT {Columns(list, "body")} FROM {list.Resource.Table} WHERE {conditions} ORDER BY {Order(list, start)} LIMIT ${next}");
    }

    // The rows before the page are passed over in the index alone; bodies are fetched for those that are sent.
    private static string NumberedText(ListQuery list, Start start)
    {
        var (conditions, next) = Conditions(list, start);
        var (inner, table) = (list.Sort.Column is { } column ? $"id, {column} AS place" : "id", list.Resource.Table);
        var down = list.Sort.IsDescending ? " DESC" : "";
        var order = list.Sort.Column is null ? "page.id" : $"page.place{down}, page.id{down}";
        return Invariant($"""
            SELECT t.id, t.body FROM (
                SELECT {inner} FROM {table} WHERE {conditions} ORDER BY {Order(list, start)} LIMIT ${next} OFFSET ${next + 1}
            ) page JOIN {table} t ON t.id = page.id ORDER BY {order}
            """);
    }

    private static string RuledText(ListQuery list, Start start)
    {
        var (conditions, next) = Conditions(list, start);
        var ruler = list.Ruler()!.Value.Ruler;
        return Invariant($"""
            SELECT t.id, t.body FROM (
                SELECT segment, upto - n AS before FROM (
                    SELECT segment, {ruler.Count} AS n, sum({ruler.Count}) OVER (ORDER BY segment) AS upto
                    FROM {ruler.Table} WHERE {ruler.Key} = ${next + 2}
                ) counted WHERE upto > ${next + 1} ORDER BY segment LIMIT 1
            ) start, LATERAL (
                SELECT id, body FROM {list.Resource.Table}
                WHERE {conditions} AND id >= start.segment::bigint * {ReadTables.SegmentSize}
                ORDER BY id LIMIT ${next} OFFSET ${next + 1} - start.before
            ) t
            """);
    }

    private static string CountText(ListQuery list, Start start) =>
        $"SELECT count(*) FROM {list.Resource.Table} WHERE {Conditions(list, start).Text}";

    private static (string Text, int Next) Conditions(ListQuery list, Start start)
    {
        var text = new StringBuilder("NOT is_deleted");
        var next = 1;
        foreach (var (filter, value) in Asked(list, start))
        {
            var place = filter.IsFlag ? "" : Invariant($"${next++}");
            text.Append(" AND ").Append(string.Format(CultureInfo.InvariantCulture, filter.For(value).Sql, place));
        }

        return (text.ToString(), next);
    }

    private static string Columns(ListQuery list, string others) =>
        list.Sort.Column is { } column ? $"id, {others}, {column}" : $"id, {others}";

    private static string Order(ListQuery list, Start start)
    {
        var down = IsUpwards(list, start) ? "" : " DESC";
        return list.Sort.Column is { } column ? $"{column}{down}, id{down}" : $"id{down}";
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
