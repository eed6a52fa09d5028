using System.Text.Json;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;
using static ApexShop.Prove.Resting.RestRequest;

namespace ApexShop.Prove.Resting;

/// <summary>
/// Reads lists with filters and sorts at rest, at every process of Queries.Api: by cursors to the end and back, by the
/// numbers of both versions, as streams; and the facets.
/// </summary>
internal sealed class ListReader(ShopAddresses shop)
{
    private const int Parts = 5;
    private const int LeastSize = 3;
    private const int MostSize = 100;

    private static readonly TimeSpan timeout = TimeSpan.FromMinutes(5);

    public async Task<RestState> ReadAsync(RestState rest, CancellationToken ct)
    {
        var documents = await DocumentsAsync(ct);
        var lists = await Task.WhenAll(shop.Queries.Select(address => ListsAsync(address, documents, ct)));
        var facets = await Task.WhenAll(shop.Queries.Select(address => FacetsAsync(address, documents, ct)));
        return rest with
        {
            Documents = [.. documents.SelectMany(same => same)], Lists = [.. lists.SelectMany(all => all)],
            FacetLists = [.. facets.SelectMany(all => all)],
        };
    }

    /// <summary>A document as its text.</summary>
    public static SourceDocument DocumentOf(string resource, string text)
    {
        var json = JsonElement.Parse(text);
        var rating = json.TryGetProperty("rating", out var found) && found.ValueKind == JsonValueKind.Object
            ? found.GetProperty("average").GetDecimal()
            : 0;
        var state = StateReader.OfDocument(resource, json);
        return new(resource, json.GetProperty("id").GetInt32(), Hash.Of(text), state, rating);
    }

    private async Task<ILookup<string, SourceDocument>> DocumentsAsync(CancellationToken ct)
    {
        var documents = new List<SourceDocument>();
        using var client = shop.Client(shop.Queries[0], timeout);
        foreach (var resource in Kinds.All)
        {
            var lines = await LinesAsync(client, $"/{resource}/stream", ct);
            documents.AddRange(lines.Select(line => DocumentOf(resource, line)));
        }

        return documents.ToLookup(one => one.Resource);
    }

    private async Task<List<RestList>> ListsAsync(
        ShopAddress address, ILookup<string, SourceDocument> documents, CancellationToken ct)
    {
        using var client = shop.Client(address, timeout);
        var lists = new List<RestList>();
        foreach (var resource in Kinds.All)
        {
            List<SourceDocument> all = [.. documents[resource]];
            var size = Math.Clamp(all.Count / Parts, LeastSize, MostSize);
            var queries = ListQueries.Of(resource, all);
            foreach (var path in queries.SelectMany(query => ListRequest.PathsOf(resource, query, size)))
                lists.Add(new(address.Name, resource, path, await ListRequest.PagesAsync(client, path, ct)));
        }

        return lists;
    }

    private async Task<List<FacetList>> FacetsAsync(
        ShopAddress address, ILookup<string, SourceDocument> documents, CancellationToken ct)
    {
        using var client = shop.Client(address, timeout);
        var lists = new List<FacetList>();
        foreach (var filter in ListQueries.FiltersOf(Kinds.Products, [.. documents[Kinds.Products]]).Prepend(""))
        {
            var path = $"/products/facets?{filter}".TrimEnd('?');
            var json = await JsonAsync(client, path, ct);
            lists.Add(new(address.Name, path, FacetReader.TotalsOf(json)[0], [.. FacetReader.CountsOf(json)]));
        }

        return lists;
    }
}
