using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Reading;

/// <summary>The texts of numbered pages.</summary>
internal static partial class ListSql
{
    // The rows before the page are skipped in the index; bodies are fetched only for those of the page.
    private static string NumberedText(ListQuery list, ScanStart start)
    {
        var (conditions, next) = Conditions(list, start);
        var down = list.Sort.IsDescending ? " DESC" : "";
        var (value, order) = SortColumn(list) is { } column
            ? ($", {column} AS value", $"page.value{down}, page.id{down}")
            : ("", "page.id");
        var rows = list is { Filters: [], Sort.SideTable: { } side } ? side.Table : $"{Rows(list)} WHERE {conditions}";
        return Invariant($"""
            SELECT t.id, {PendingNames.Body(list.Resource.Name, "t.")} FROM (
                SELECT {list.Sort.IdColumn} AS id{value} FROM {rows}
                ORDER BY {Order(list, start)} LIMIT ${next} OFFSET ${next + 1}
            ) page JOIN {list.Resource.Table} t ON t.id = page.id ORDER BY {order}
            """);
    }

    private static string NumberedBySegmentsText(ListQuery list, ScanStart start)
    {
        var (conditions, next) = Conditions(list, ScanStart.After(default));
        var counts = list.SegmentCounts()!.Value.Counts;
        var (row, first) = list.LeadingFilter is { } leading
            ? ($"({leading.Condition.EqualColumn}, id)", $"{ParameterOf(list, leading)}, ")
            : ("id", "");
        return Invariant($"""
            SELECT t.id, {PendingNames.Body(list.Resource.Name, "t.")} FROM (
                SELECT segment, upto - n AS before FROM (
                    SELECT segment, {counts.CountColumn} AS n, sum({counts.CountColumn}) OVER (ORDER BY segment) AS upto
                    FROM {counts.Table} WHERE {counts.KeyColumn} = ${next + 2}
                ) counted WHERE upto > ${next + 1} ORDER BY segment LIMIT 1
            ) start, LATERAL (
                SELECT id, body, revision FROM {list.Resource.Table}
                WHERE {conditions} AND {row} >= ({first}start.segment * {ReadTables.SegmentSize})
                ORDER BY {Order(list, start)} LIMIT ${next} OFFSET ${next + 1} - start.before
            ) t
            """);
    }
}
