using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// The SQL texts of the lists: fixed fragments and parameter places, never a value, so that each text is made and
/// prepared once. Parameters are the filters' in their order, then those that each text names.
/// </summary>
internal static partial class ListSql
{
    private static readonly ConcurrentDictionary<(string Resource, int Shape, Start Start, string Form), string> texts = new();

    /// <summary>Rows from a start on: value and id of the start if it has one, then how many rows.</summary>
    public static string Page(ListQuery list, Start start) => Text(list, start, nameof(Page), PageText);

    /// <summary>
    /// The same rows as one row: how many, their bytes, id and value of the last, and the documents with a separator between
    /// them, null if their bytes are too many. The separator and the most bytes are the last two parameters.
    /// </summary>
    public static string Chunk(ListQuery list, Start start) => Text(list, start, nameof(Chunk), ChunkText);

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

    private static string PageText(ListQuery list, Start start) => PageParts(list, start).Text;

    private static (string Text, int Next) PageParts(ListQuery list, Start start)
    {
        var (conditions, next) = Conditions(list, start);
        if (start.At is not null)
        {
            var sign = IsUpwards(list, start) ? '>' : '<';
            conditions += list switch
            {
                { Sort.Column: { } column } => Invariant($" AND ({column}, {list.Sort.IdColumn}) {sign} (${next++}, ${next++})"),
                { Lead: { } lead } => Invariant($" AND ({lead.Holds.Equal}, id) {sign} ({Place(list, lead)}, ${next++})"),
                _ => Invariant($" AND id {sign} ${next++}"),
            };
        }

        var columns = list.Sort.Column is { } value ? $"id, body, {value} AS value" : "id, body";
        return (Invariant($"SELECT {columns} FROM {Rows(list)} WHERE {conditions} ORDER BY {Order(list, start)} LIMIT ${next}"), next + 1);
    }

    // A row of its own for every document would cost both sides more than the documents do.
    private static string ChunkText(ListQuery list, Start start)
    {
        var (page, next) = PageParts(list, start);
        var last = list.Sort.Column is null ? "" : ", (array_agg(value))[count(*)]";
        return Invariant($"""
            SELECT count(*), sum(octet_length(body)), (array_agg(id))[count(*)]{last},
                   CASE WHEN count(*) = 1 OR sum(octet_length(body)) <= ${next + 1} THEN string_agg(body, ${next}) END
            FROM ({page}) page
            """);
    }

    private static string CountText(ListQuery list, Start start) =>
        $"SELECT count(*) FROM {Rows(list)} WHERE {Conditions(list, start).Text}";

    private static (string Text, int Next) Conditions(ListQuery list, Start start)
    {
        var text = new StringBuilder("NOT is_deleted");
        var next = 1;
        foreach (var (filter, value) in Asked(list, start))
        {
            var place = filter.IsFlag ? "" : Invariant($"${next++}");
            var sql = filter == list.Lead ? LeadSql(list, start) : filter.For(value).SqlIn(list.Sort);
            text.Append(" AND ").Append(string.Format(CultureInfo.InvariantCulture, sql, place));
        }

        return (text.ToString(), next);
    }

    // Said as an equality, the planner would drop the column from the order and may walk all ids for a rare value.
    private static string LeadSql(ListQuery list, Start start)
    {
        var column = list.Lead!.Holds.Equal;
        if (start.At is null) return $"{column} >= {{0}} AND {column} <= {{0}}";
        return IsUpwards(list, start) ? $"{column} <= {{0}}" : $"{column} >= {{0}}";
    }

    private static string Place(ListQuery list, Filter filter) =>
        Invariant($"${list.Given.Where(one => !one.Filter.IsFlag).TakeWhile(one => one.Filter != filter).Count() + 1}");

    internal static string Rows(ListQuery list) =>
        list.Sort.Aside is var (table, id) ? $"{list.Resource.Table} JOIN {table} ON {id} = id" : list.Resource.Table;

    private static string Order(ListQuery list, Start start)
    {
        var down = IsUpwards(list, start) ? "" : " DESC";
        var leading = list.Sort.Column ?? list.Lead?.Holds.Equal;
        return leading is null ? $"id{down}" : $"{leading}{down}, {list.Sort.IdColumn}{down}";
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
