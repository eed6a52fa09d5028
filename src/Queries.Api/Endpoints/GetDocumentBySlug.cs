using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/by-slug/{slug}: the document that has this slug, as GET /R/{id} sends it.</summary>
internal sealed class GetDocumentBySlug(ReadModel resource, SlugCache documents)
{
    public CachedResponse? FindCached(HttpContext http) =>
        AcceptedMediaTypes.AcceptsJson(http.Request) && !http.Request.QueryString.HasValue
            ? documents.Find(SlugOf(http.Request))
            : null;

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        var (request, slug) = (http.Request, SlugOf(http.Request));
        if (!AcceptedMediaTypes.AcceptsJson(request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(request.Query);
        var fields = FieldSelection.From(resource, query);
        if (!Slug.IsValid(slug)) return query.ProblemWith("slug", Slug.Rule);
        if (query.Problem() is { } problem) return problem;

        var isFresh = ConsistencyGate.HasToken(request);
        if (await documents.GetAsync(slug, isFresh, http.RequestAborted) is not { } document)
            return Problem.NotFound(resource.Singular, slug);
        await JsonResponse.WriteAsync(http, resource, document, fields);
        return null;
    }

    private static string SlugOf(HttpRequest request) => (string)request.RouteValues["slug"]!;
}
