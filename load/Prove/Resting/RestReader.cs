using System.Globalization;
using System.Text.Json;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;
using static ApexShop.Prove.Resting.RestRequest;

namespace ApexShop.Prove.Resting;

/// <summary>Reads the whole shop at rest, in every way that a client can, at every process of Queries.Api.</summary>
internal sealed class RestReader(ShopAddresses shop)
{
    private const int PageSize = 100;

    private static readonly TimeSpan timeout = TimeSpan.FromMinutes(5);

    public async Task<List<RestView>> ReadAsync(CancellationToken ct)
    {
        var views = new List<RestView>();
        foreach (var address in shop.Queries)
        {
            using var client = shop.Client(address, timeout);
            foreach (var resource in Kinds.All)
            {
                var stream = await StreamAsync(client, resource, ct);
                views.Add(new($"{address.Name} /stream", resource, stream, null));
                views.Add(new($"{address.Name} /cursor", resource, await PagesAsync(client, resource, ct), null));
                views.Add(new(
                    $"{address.Name} /batch", resource, await BatchesAsync(client, resource, stream, ct), null));
                views.Add(await ChangesAsync(client, address.Name, resource, ct));
                views.Add(await NumberedAsync(client, address.Name, resource, ct));
            }

            foreach (var word in KnownShop.Words)
            {
                var found = await PagesAsync(client, Kinds.Products, ct, $"q={word}&");
                views.Add(new($"{address.Name} /cursor?q={word}", Kinds.Products, found, null, Query: $"?q={word}"));
            }
        }

        return views;
    }

    /// <summary>The products of each category, as the facets of each process count them.</summary>
    public async Task<List<RestFacet>> FacetsAsync(CancellationToken ct)
    {
        var facets = new List<RestFacet>();
        foreach (var address in shop.Queries)
        {
            using var client = shop.Client(address, timeout);
            var json = await JsonAsync(client, "/products/facets", ct);
            facets.AddRange(FacetReader.CategoriesOf(json)
                .Select(one => new RestFacet($"{address.Name} /facets", one.Id, one.Count)));
        }

        return facets;
    }

    /// <summary>The audit of the shop itself: documents against tables.</summary>
    public async Task<AuditResult> AuditAsync(CancellationToken ct)
    {
        using var client = shop.Client(shop.Commands[0], timeout);
        var text = await RepeatedRequest.SendAsync(client, () => new(HttpMethod.Post, "/admin/audit"), ct);
        var summary = text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonElement.Parse(line))
            .FirstOrDefault(line => line.TryGetProperty("kind", out var kind) && kind.ValueEquals("summary"));
        if (summary.ValueKind != JsonValueKind.Object)
            throw new InvalidOperationException($"The audit did not finish: {text}");
        long Number(string name) => summary.GetProperty(name).GetInt64();
        return new(Number("compared"), Number("different"), Number("notCompared"));
    }

    private static async Task<List<RestDocument>> StreamAsync(HttpClient client, string resource, CancellationToken ct)
    {
        var lines = await LinesAsync(client, $"/{resource}/stream", ct);
        return [.. lines.Select(line => Document(resource, JsonElement.Parse(line)))];
    }

    private static async Task<RestView> NumberedAsync(
        HttpClient client, string process, string resource, CancellationToken ct)
    {
        var documents = new List<RestDocument>();
        JsonElement page;
        var number = 0;
        do
        {
            page = await JsonAsync(client, $"/{resource}/v2?pageSize={PageSize}&page={++number}", ct);
            documents.AddRange(Data(page).Select(document => Document(resource, document)));
        }
        while (page.GetProperty("hasNext").GetBoolean());
        return new($"{process} /v2", resource, documents, null, page.GetProperty("totalCount").GetInt64());
    }

    private static async Task<List<RestDocument>> PagesAsync(
        HttpClient client, string resource, CancellationToken ct, string filter = "")
    {
        var documents = new List<RestDocument>();
        string? next = null;
        do
        {
            var page = await PageAsync(client, $"/{resource}/cursor?{filter}pageSize={PageSize}", next, ct);
            documents.AddRange(Data(page).Select(document => Document(resource, document)));
            next = page.GetProperty("hasMore").GetBoolean() ? page.GetProperty("nextCursor").GetString() : null;
        }
        while (next is not null);
        return documents;
    }

    private static async Task<List<RestDocument>> BatchesAsync(
        HttpClient client, string resource, List<RestDocument> all, CancellationToken ct)
    {
        var documents = new List<RestDocument>();
        foreach (var ids in all.Select(document => document.Id).Chunk(PageSize))
        {
            var page = await JsonAsync(client, $"/{resource}/batch?ids={string.Join(',', ids)}", ct);
            documents.AddRange(Data(page).Select(document => Document(resource, document)));
        }

        return documents;
    }

    private static async Task<RestView> ChangesAsync(
        HttpClient client, string process, string resource, CancellationToken ct)
    {
        var (documents, deleted) = (new List<RestDocument>(), new List<int>());
        string? next = null;
        JsonElement page;
        do
        {
            page = await PageAsync(client, $"/{resource}/changes?pageSize={PageSize}", next, ct);
            foreach (var change in Data(page))
            {
                if (change.GetProperty("change").ValueEquals("deleted"))
                    deleted.Add(change.GetProperty("id").GetInt32());
                else documents.Add(Document(resource, change.GetProperty("document")));
            }

            next = page.GetProperty("nextCursor").GetString();
        }
        while (page.GetProperty("hasMore").GetBoolean());
        return new($"{process} /changes", resource, documents, deleted);
    }

    /// <summary>A document with what it shows of other aggregates.</summary>
    public static RestDocument Document(string resource, JsonElement json)
    {
        var sight = SightReader.Sight(resource, json);
        return new(sight.Id, sight.Version, sight.Digest, Derived(resource, json));
    }

    /// <summary>What the document shows of other aggregates.</summary>
    private static string Derived(string resource, JsonElement json)
    {
        JsonElement Of(string member, string name) => json.GetProperty(member).GetProperty(name);
        FormattableString text = resource switch
        {
            Kinds.Products =>
                $"{Of("category", "name")}, {Of("rating", "average").GetDecimal():0.00}, {Of("rating", "count")}",
            Kinds.Categories => $"{json.GetProperty("productCount")}",
            Kinds.Orders => $"{Of("customer", "name")}",
            Kinds.Reviews => $"{Of("product", "name")}, {Of("user", "name")}",
            _ =>
                $"{json.GetProperty("orderCount")}, {json.GetProperty("totalSpent").GetDecimal():0.00}",
        };
        return text.ToString(CultureInfo.InvariantCulture);
    }
}
