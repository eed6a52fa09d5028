using System.Globalization;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/{id}: one document; 304 when the client has its current state.</summary>
internal sealed class GetDocument(ReadModel resource, DocumentCache documents)
{
    public CachedResponse? FindCached(HttpContext http) =>
        AcceptedMediaTypes.AcceptsJson(http.Request) && !http.Request.QueryString.HasValue
            ? documents.Find(IdOf(http.Request))
            : null;

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        var request = http.Request;
        if (!AcceptedMediaTypes.AcceptsJson(request)) return Problem.NotAcceptable(AcceptedMediaTypes.Json);
        if (request.QueryString.HasValue && new QueryParameters(request.Query).Problem() is { } problem) return problem;

        var id = IdOf(request);
        if (await documents.ReadAsync(id, http.RequestAborted) is not { } document)
            return Problem.NotFound(resource.Singular, id);
        await JsonResponse.WriteAsync(http, resource, document);
        return null;
    }

    private static int IdOf(HttpRequest request) =>
        int.Parse((string)request.RouteValues["id"]!, NumberStyles.Integer, CultureInfo.InvariantCulture);
}
