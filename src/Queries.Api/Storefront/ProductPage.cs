using System.Text;
using System.Text.Json;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Requests;
using ApexShop.ReadModels;
using ApexShop.Requests;
using Microsoft.Extensions.Caching.Memory;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>
/// GET /p/{slug}: the page of a product, complete in its first response. It is written from the same cached document as
/// GET /products/by-slug/{slug}, which it contains for the scripts.
/// </summary>
internal sealed class ProductPage(SlugCache products, StorefrontPage page) : IDisposable
{
    public const string Route = "/p/{slug}";

    private const int MostBytes = 32 * 1024 * 1024;

    // Of each document, for as long as it is the cached one.
    private readonly MemoryCache pages = new(new MemoryCacheOptions { SizeLimit = MostBytes });

    private readonly byte[] missing = page.Fill(new()
    {
        ["title"] = "This product is not in the shop - ApexShop",
        ["head"] = """<meta name="robots" content="noindex">""",
        ["article"] = """data-state="failed" """,
        ["name"] = "This product is not in the shop",
    });

    public static string PathOf(string slug) => $"/p/{slug}";

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        var slug = (string)http.Request.RouteValues["slug"]!;
        var isFresh = ConsistencyGate.HasToken(http.Request);
        var document = Slug.IsValid(slug) ? await products.GetAsync(slug, isFresh, http.RequestAborted) : null;
        await (document is null
            ? page.SendMissingAsync(http, missing)
            : page.SendAsync(http, PageOf(slug, document)));
        return null;
    }

    public void Dispose() => pages.Dispose();

    private CachedResponse PageOf(string slug, CachedResponse document)
    {
        if (pages.Get(slug) is WrittenPage written && ReferenceEquals(written.Document, document)) return written.Page;
        var response = Write(slug, document);
        // Its compressed forms are kept with it.
        var size = document.Body.Length + (2 * response.Body.Length);
        pages.Set(slug, new WrittenPage(document, response), new MemoryCacheEntryOptions { Size = size });
        return response;
    }

    private CachedResponse Write(string slug, CachedResponse document)
    {
        var product = JsonSerializer.Deserialize(document.Body.Span, ReadModelJson.Wire.ProductView)!;
        var values = ProductMarkup.Of(product, PathOf(slug));
        // "<" occurs in JSON only inside texts, so the document cannot end its element.
        values["document"] = Encoding.UTF8.GetString(document.Body.Span)
            .Replace("<", "\\u003c", StringComparison.Ordinal);
        return CachedResponse.Of(page.Fill(values)) with { Shared = document.Shared };
    }

    private sealed record WrittenPage(CachedResponse Document, CachedResponse Page);
}
