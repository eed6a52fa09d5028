using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using ApexShop.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/{id}: one document; 304 when the client has its current state.</summary>
internal sealed class GetDocument(ReadModel resource, DocumentCache documents)
{
    public CachedResponse? FindCached(HttpContext http) =>
        AcceptedMediaTypes.AcceptsJson(http.Request) && !http.Request.QueryString.HasValue
        && RouteParameters.IdOf(http.Request) is { } id && documents.Find(id) is { } document
        && OwnDocuments.Include(http, resource, document)
            ? document
            : null;

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        var request = http.Request;
        if (!AcceptedMediaTypes.AcceptsJson(request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        var query = new QueryParameters(request.Query);
        var fields = FieldSelection.From(resource, query);
        if (RouteParameters.IdOf(request) is not { } id) return query.ProblemWith("id", WholeNumber.Rule);
        if (query.Problem() is { } problem) return problem;

        var isFresh = ConsistencyGate.HasToken(request);
        if (await documents.GetAsync(id, isFresh, http.RequestAborted) is not { } document
            || !OwnDocuments.Include(http, resource, document))
            return Problem.NotFound(resource.Singular, id);
        await JsonResponse.WriteAsync(http, resource, document, fields);
        return null;
    }
}
