namespace ApexShop.Queries.Api.Reading;

/// <summary>The text that counts the documents of a list by several values in one scan.</summary>
internal static partial class ListSql
{
    /// <summary>
    /// The counts of each facet's values: a row has the facet, its value, and how many documents have it.
    /// </summary>
    public static string Facets(ListQuery list) => Text(list, ScanStart.Beginning, nameof(Facets), FacetsText);

    private static string FacetsText(ListQuery list, ScanStart start)
    {
        var facets = list.Resource.Facets;
        var columns = string.Join(", ", facets.Select(facet => facet.Column));
        var values = string.Join(", ", facets.Select(facet => $"{facet.Sql} AS {facet.Column}"));
        var sets = string.Join(", ", facets.Select(facet => $"({facet.Column})"));
        // Of each grouping set only one column is not null.
        return $"""
            SELECT GROUPING({columns}), coalesce({columns}), count(*)
            FROM (SELECT {values} FROM {Rows(list)} WHERE {Conditions(list, start).Text}) AS documents
            GROUP BY GROUPING SETS ({sets}) ORDER BY 1 DESC, 2
            """;
    }
}
