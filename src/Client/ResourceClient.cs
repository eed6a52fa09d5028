using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Client.Requests;

namespace ApexShop.Client;

/// <summary>
/// What every resource can do. A read includes the writes of its client. A create or patch has an Idempotency-Key, made
/// here unless one is given, and is repeated with it; other writes are repeated only if they were not executed.
/// </summary>
public abstract class ResourceClient<TDocument, TQuery, TInput, TReplacement>
    where TDocument : class
    where TQuery : class
{
    private const int LargestPage = 100;

    internal ResourceClient(ShopConnection shop, string name) => (Shop, Name) = (shop, name);

    internal ShopConnection Shop { get; }

    internal string Name { get; }

    /// <summary>One document. With <paramref name="fields"/> its other members have their default values.</summary>
    public Task<TDocument> GetAsync(
        int id, IReadOnlyList<string>? fields = null, CancellationToken cancellationToken = default) =>
        Shop.ReadAsync<TDocument>(Path(id) + QueryParameters.Of(null, Fields(fields)), cancellationToken);

    /// <summary>The document, unless <paramref name="eTag"/> is still that of the current one.</summary>
    public async Task<Document<TDocument>> GetIfChangedAsync(
        int id, string? eTag, CancellationToken cancellationToken = default)
    {
        var request = new ShopRequest(HttpMethod.Get, Path(id)) { IfNoneMatch = eTag };
        using var response = await Shop.SendAsync(request, cancellationToken);
        var current = response.Headers.ETag?.ToString() ?? "";
        if (!response.IsSuccessStatusCode) return new(null, current);
        var body = await response.Content.ReadAsByteArrayAsync(cancellationToken);
        return new(JsonSerializer.Deserialize(body, ShopJson.Of<TDocument>()), current);
    }

    /// <summary>Up to 100 documents by their ids.</summary>
    public Task<Batch<TDocument>> GetBatchAsync(
        IEnumerable<int> ids, IReadOnlyList<string>? fields = null, CancellationToken cancellationToken = default) =>
        Shop.ReadAsync<Batch<TDocument>>(
            $"{Name}/batch{QueryParameters.Of(null, ("ids", string.Join(',', ids)), Fields(fields))}",
            cancellationToken);

    /// <summary>One page after or before a cursor; the first one without a cursor.</summary>
    public Task<Page<TDocument>> GetPageAsync(
        TQuery? query = null, string? after = null, string? before = null, int pageSize = 20,
        IReadOnlyList<string>? fields = null, CancellationToken cancellationToken = default) =>
        Shop.ReadAsync<Page<TDocument>>(
            $"{Name}/cursor{QueryParameters.Of(
                Filters(query), ("after", after), ("before", before), ("pageSize", Text(pageSize)), Fields(fields))}",
            cancellationToken);

    /// <summary>All documents of a list, page by page: one that does not change is returned exactly once.</summary>
    public async IAsyncEnumerable<TDocument> ListAsync(
        TQuery? query = null, int pageSize = LargestPage, IReadOnlyList<string>? fields = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        string? after = null;
        do
        {
            var page = await GetPageAsync(query, after, null, pageSize, fields, cancellationToken);
            foreach (var document in page.Data) yield return document;
            after = page.HasMore ? page.NextCursor : null;
        }
        while (after is not null);
    }

    /// <summary>A whole list in one response, read while it arrives.</summary>
    public IAsyncEnumerable<TDocument> StreamAsync(
        TQuery? query = null, int? limit = null, CancellationToken cancellationToken = default)
    {
        var parameters = QueryParameters.Of(Filters(query), ("limit", limit is { } most ? Text(most) : null));
        return Shop.LinesAsync<TDocument>(
            new ShopRequest(HttpMethod.Get, $"{Name}/stream{parameters}"), cancellationToken);
    }

    public Task<Saved> CreateAsync(
        TInput input, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
        Shop.WriteAsync<TInput, Saved>(
            HttpMethod.Post, Name, input, cancellationToken, idempotencyKey: idempotencyKey ?? NewKey());

    public Task<Saved> ReplaceAsync(
        int id, TReplacement replacement, ExpectedVersion? ifMatch = null,
        CancellationToken cancellationToken = default) =>
        Shop.WriteAsync<TReplacement, Saved>(HttpMethod.Put, Path(id), replacement, cancellationToken, ifMatch);

    /// <summary>Changes the members of a JSON Merge Patch (RFC 7396); a null removes an optional value.</summary>
    public Task<Saved> PatchAsync(
        int id, JsonObject patch, ExpectedVersion? ifMatch = null, string? idempotencyKey = null,
        CancellationToken cancellationToken = default) =>
        Shop.WriteAsync<JsonObject, Saved>(
            HttpMethod.Patch, Path(id), patch, cancellationToken, ifMatch, idempotencyKey ?? NewKey(),
            "application/merge-patch+json");

    public async Task DeleteAsync(
        int id, ExpectedVersion? ifMatch = null, CancellationToken cancellationToken = default)
    {
        var request = new ShopRequest(HttpMethod.Delete, Path(id)) { IfMatch = ifMatch?.ETag };
        using var response = await Shop.SendAsync(request, cancellationToken);
    }

    internal static string NewKey() => Guid.NewGuid().ToString("N");

    internal static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    internal static (string Name, string? Value) Fields(IReadOnlyList<string>? names) =>
        ("fields", names is null ? null : string.Join(',', names));

    internal static JsonElement? Filters(TQuery? query) =>
        query is null ? null : JsonSerializer.SerializeToElement(query, ShopJson.Of<TQuery>());

    internal string Path(int id) => $"{Name}/{Text(id)}";
}
