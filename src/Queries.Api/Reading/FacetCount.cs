using System.Numerics;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Reading;

/// <summary>How many documents have a value.</summary>
internal readonly record struct FacetCount(Facet Facet, int Value, long Documents)
{
    /// <param name="resource">Its facets are the columns of the statement.</param>
    /// <param name="grouping">A bit for each column, the last one's lowest: 0 where the row is grouped by it.</param>
    /// <param name="value">Of this column.</param>
    /// <param name="documents">How many documents have it.</param>
    public static FacetCount Of(ReadModel resource, int grouping, int value, long documents) =>
        new(resource.Facets[resource.Facets.Count - 1 - BitOperations.TrailingZeroCount(~grouping)], value, documents);
}
