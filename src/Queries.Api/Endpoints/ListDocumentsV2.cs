using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/v2 and, deprecated, GET /R: a page by its number, with totals.</summary>
internal sealed class ListDocumentsV2(
    ReadModel resource, bool isFirstVersion, ResponseCache cache, PagePlaces places, IOptions<ReadingOptions> options)
{
    // A refusal costs little, but callers that repeat it without a pause would take the processor from all others.
    private static readonly TimeSpan refusalDelay = TimeSpan.FromMilliseconds(100);

    private readonly string path = isFirstVersion ? $"/{resource.Name}" : $"/{resource.Name}/v2";
    private readonly string listKey = $"{resource.Name}/{(isFirstVersion ? "v1" : "v2")}";

    public CachedResponse? FindCached(HttpContext http) =>
        AcceptedMediaTypes.AcceptsJson(http.Request) ? cache.Find(listKey, http.Request.QueryString.Value) : null;

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMediaTypes.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(http.Request.Query);
        var list = ListQuery.From(resource, query);
        var number = query.Number("page", least: 1) ?? 1;
        var size = PageRequest.SizeFrom(query);
        var fields = FieldSelection.From(resource, query);
        if (query.Problem() is { } problem) return problem;

        var links = new PageLinks(path, http.Request.Query);
        var page = new NumberedPage(list, size, links, number, isFirstVersion) { Fields = fields };
        // Before the documents are counted: the response does not depend on how many there are.
        if (page.Skipped > options.Value.MaxOffset)
        {
            await Task.Delay(refusalDelay, http.RequestAborted);
            return Problem.PageTooDeep(options.Value.MaxOffset, links.Alternate(resource.CursorPath));
        }

        var cached = new CacheQuery(listKey + http.Request.QueryString.Value, list.Tags())
        {
            IsPublic = resource.Scope is null,
            IsFresh = ConsistencyGate.HasToken(http.Request),
        };
        var response = await places.ReadAsync(
            http, page, request => cache.GetAsync(cached, request, http.RequestAborted));
        await JsonResponse.WriteAsync(http, resource, response!);
        return null;
    }
}
