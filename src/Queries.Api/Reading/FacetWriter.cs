using System.Text.Json;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Writes the counts of facets as JSON: a list for each facet, only of values that documents have.</summary>
internal static class FacetWriter
{
    public static byte[] Write(ReadModel resource, IReadOnlyList<FacetCount> counts)
    {
        using var output = new MemoryStream();
        using (var json = new Utf8JsonWriter(output))
        {
            json.WriteStartObject();
            foreach (var facet in resource.Facets) Write(json, facet, counts.Where(count => count.Facet == facet));
            // Each document has one value of each facet.
            var all = counts.Where(count => count.Facet == resource.Facets[0]);
            json.WriteNumber("totalCount", all.Sum(count => count.Documents));
            json.WriteEndObject();
        }

        return output.ToArray();
    }

    private static void Write(Utf8JsonWriter json, Facet facet, IEnumerable<FacetCount> counts)
    {
        json.WriteStartArray(facet.Name);
        foreach (var count in counts)
        {
            json.WriteStartObject();
            facet.Write(json, count.Value);
            json.WriteNumber("count", count.Documents);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
