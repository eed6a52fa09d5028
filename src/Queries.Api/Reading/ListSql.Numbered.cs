using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Reading;

/// <summary>The texts of pages by their number.</summary>
internal static partial class ListSql
{
    // The rows before the page are passed over in the index alone; bodies are fetched for those that are sent.
    private static string NumberedText(ListQuery list, Start start)
    {
        var (conditions, next) = Conditions(list, start);
        var down = list.Sort.IsDescending ? " DESC" : "";
        var (place, order) = list.Sort.Column is { } column
            ? ($", {column} AS place", $"page.place{down}, page.id{down}")
            : ("", "page.id");
        var rows = list is { Given: [], Sort.Aside: { } aside } ? aside.Table : $"{Rows(list)} WHERE {conditions}";
        return Invariant($"""
            SELECT t.id, t.body FROM (
                SELECT {list.Sort.IdColumn} AS id{place} FROM {rows} ORDER BY {Order(list, start)} LIMIT ${next} OFFSET ${next + 1}
            ) page JOIN {list.Resource.Table} t ON t.id = page.id ORDER BY {order}
            """);
    }

    private static string RuledText(ListQuery list, Start start)
    {
        var (conditions, next) = Conditions(list, Start.After(default));
        var ruler = list.Ruler()!.Value.Ruler;
        var (row, first) = list.Lead is { } lead ? ($"({lead.Holds.Equal}, id)", $"{Place(list, lead)}, ") : ("id", "");
        return Invariant($"""
            SELECT t.id, t.body FROM (
                SELECT segment, upto - n AS before FROM (
                    SELECT segment, {ruler.Count} AS n, sum({ruler.Count}) OVER (ORDER BY segment) AS upto
                    FROM {ruler.Table} WHERE {ruler.Key} = ${next + 2}
                ) counted WHERE upto > ${next + 1} ORDER BY segment LIMIT 1
            ) start, LATERAL (
                SELECT id, body FROM {list.Resource.Table}
                WHERE {conditions} AND {row} >= ({first}start.segment * {ReadTables.SegmentSize})
                ORDER BY {Order(list, start)} LIMIT ${next} OFFSET ${next + 1} - start.before
            ) t
            """);
    }
}
