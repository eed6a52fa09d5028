using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Reading;

/// <summary>The text of walks.</summary>
internal static partial class ListSql
{
    /// <summary>
    /// Most rows that a walk looks at: where they are in memory, PostgreSQL reads them in a millisecond.
    /// </summary>
    internal const int MostWalked = 1_000;

    /// <summary>
    /// The rows of <see cref="Page"/> among the next rows of the index. If they are fewer than requested, there may be
    /// others behind.
    /// </summary>
    public static string Walk(ListQuery list, ScanStart start) => Text(list, start, nameof(Walk), WalkText);

    // The conditions that exclude rows are tested outside the limited rows.
    private static string WalkText(ListQuery list, ScanStart start)
    {
        var (conditions, next) = ConditionsFrom(list, start, isBounded: true);
        var fits = string.Join(" AND ", list.Filters
            .Where(one => one.Condition.IndexUse == IndexUse.Common).Select(one => one.Condition.SqlIn(list.Sort)));
        var down = IsUpwards(list, start) ? "" : " DESC";
        var value = list.Sort.Column is null ? "" : ", value";
        var (column, order) = (list.Sort.Column ?? list.LeadingFilter?.Condition.EqualColumn) is { } lead
            ? ($", {lead} AS value", $"value{down}, ")
            : ("", "");
        return Invariant($"""
            SELECT id, {list.Resource.Body}{value} FROM (
                SELECT id, body, revision{column}, {fits} AS fits FROM {Rows(list)}
                WHERE {conditions} ORDER BY {Order(list, start)} LIMIT {MostWalked}
            ) walked WHERE fits ORDER BY {order}id{down} LIMIT ${next}
            """);
    }
}
