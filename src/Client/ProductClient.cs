using System.Runtime.CompilerServices;
using ApexShop.Client.Requests;

namespace ApexShop.Client;

/// <summary>The products of a shop.</summary>
public sealed class ProductClient : ListClient<Product, ProductQuery, ProductInput, ProductReplacement>
{
    // The shop responds while it reads the list, so the response to one request must fit into the buffers on the way.
    private const int ItemsOfRequest = 1000;

    internal ProductClient(ShopConnection shop) : base(shop, "products")
    {
    }

    /// <summary>The product whose page has this slug.</summary>
    public Task<Product> GetBySlugAsync(
        string slug, IReadOnlyList<string>? fields = null, CancellationToken cancellationToken = default) =>
        // A dot is not escaped, and one or two are segments that an address does not have.
        slug is "." or ".."
            ? throw new ArgumentException("It is no slug.", nameof(slug))
            : Shop.ReadAsync<Product>(
                $"{Name}/by-slug/{Uri.EscapeDataString(slug)}{QueryParameters.Of(null, Fields(fields))}",
                cancellationToken);

    /// <summary>How many products of a list have each value that a filter could have; its order is ignored.</summary>
    public Task<ProductFacets> GetFacetsAsync(
        ProductQuery? query = null, CancellationToken cancellationToken = default)
    {
        var filters = query is null ? null : query with { Sort = null };
        return Shop.ReadAsync<ProductFacets>(
            $"{Name}/facets{QueryParameters.Of(Filters(filters))}", cancellationToken);
    }

    /// <summary>Texts to search for that complete what was typed, the best first.</summary>
    public async Task<IReadOnlyList<string>> SuggestAsync(string typed, CancellationToken cancellationToken = default)
    {
        var path = $"{Name}/suggest?q={Uri.EscapeDataString(typed)}";
        return [.. (await Shop.ReadAsync<SearchSuggestions>(path, cancellationToken)).Data.Select(one => one.Text)];
    }

    /// <summary>Sets the stock, whatever it was.</summary>
    public Task<Saved> SetStockAsync(
        int id, int stock, ExpectedVersion? ifMatch = null, string? idempotencyKey = null,
        CancellationToken cancellationToken = default) =>
        StockAsync(id, new(stock, null), ifMatch, idempotencyKey, cancellationToken);

    /// <summary>Adds to the stock, or takes from it; a stock below 0 is a problem.</summary>
    public Task<Saved> ChangeStockAsync(
        int id, int delta, ExpectedVersion? ifMatch = null, string? idempotencyKey = null,
        CancellationToken cancellationToken = default) =>
        StockAsync(id, new(null, delta), ifMatch, idempotencyKey, cancellationToken);

    /// <summary>Sets the stock of all products of a category, or of none.</summary>
    public Task<ChangedRows> SetStockOfCategoryAsync(
        int categoryId, int stock, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
        StockAsync(new(categoryId, stock, null), idempotencyKey, cancellationToken);

    /// <summary>Changes the stock of all products of a category by a delta, or of none.</summary>
    public Task<ChangedRows> ChangeStockOfCategoryAsync(
        int categoryId, int delta, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
        StockAsync(new(categoryId, null, delta), idempotencyKey, cancellationToken);

    /// <summary>
    /// Replaces the products of a list of any length, in requests of 1,000. Each chunk is a transaction of its own:
    /// read to the end, and look for problems.
    /// </summary>
    public async IAsyncEnumerable<ReplacedChunk> ReplaceManyAsync(
        IEnumerable<ProductItem> items, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var first = 0;
        var tokens = new List<string>();
        foreach (var part in items.Chunk(ItemsOfRequest))
        {
            var body = ShopJson.Bytes<IReadOnlyList<ProductItem>>(part);
            var request = new ShopRequest(HttpMethod.Put, Bulk) { Body = body };
            var isComplete = false;
            ReplacedChunk? last = null;
            await foreach (var line in ListPart.LinesAsync(Shop, request, first, cancellationToken))
            {
                if (line.ConsistencyToken is { } token) Keep(token, line.HasChanged(part), tokens);
                isComplete = line.Items is null && line.Problem is null;
                last = !isComplete
                    ? new(first + line.First, line.Count, line.Items, line.Problem?.After(first))
                    : line.Done ? null : last?.NotRead(first + part.Length);
                if (last is not null) yield return last;
            }

            if (!isComplete) throw new IOException("The response ends before its last line.");
            first += part.Length;
        }
    }

    // Events of products are applied in order, so the token of a chunk that changed a product includes the chunks
    // before it. The token of a chunk that changed nothing is of an older event, which does not include them.
    private void Keep(string token, bool hasChanged, List<string> earlier)
    {
        Shop.Keep(token, hasChanged ? earlier : []);
        if (hasChanged) earlier.Clear();
        earlier.Add(token);
    }

    private Task<Saved> StockAsync(
        int id, StockInput stock, ExpectedVersion? ifMatch, string? idempotencyKey, CancellationToken ct) =>
        Shop.WriteAsync<StockInput, Saved>(
            HttpMethod.Patch, $"{Path(id)}/stock", stock, ct, ifMatch, idempotencyKey ?? NewKey());

    private Task<ChangedRows> StockAsync(CategoryStockInput stock, string? idempotencyKey, CancellationToken ct) =>
        Shop.WriteAsync<CategoryStockInput, ChangedRows>(
            HttpMethod.Patch, $"{Name}/bulk-update-stock", stock, ct, idempotencyKey: idempotencyKey ?? NewKey(),
            isLong: true);
}
