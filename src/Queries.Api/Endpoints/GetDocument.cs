using System.Globalization;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/{id}: one document; 304 when the client has this very state of it.</summary>
internal sealed class GetDocument(Resource resource, DocumentCache documents)
{
    public Task<Problem?> HandleAsync(HttpContext http)
    {
        var request = http.Request;
        if (!AcceptedMedia.AcceptsJson(request)) return Refuse(Problem.NotAcceptable(AcceptedMedia.Json));
        if (request.QueryString.HasValue && new QueryParameters(request.Query).Problem() is { } problem) return Refuse(problem);

        var id = int.Parse((string)request.RouteValues["id"]!, NumberStyles.Integer, CultureInfo.InvariantCulture);
        var kept = ConsistencyGate.IsAsked(request) ? null : documents.Find(id);
        return kept is null ? ReadAsync(http, id) : SendAsync(http, kept);
    }

    private async Task<Problem?> ReadAsync(HttpContext http, int id)
    {
        if (await documents.ReadAsync(id, http.RequestAborted) is not { } document)
        {
            return Problem.NotFound(resource.Singular, id);
        }

        return await SendAsync(http, document);
    }

    private async Task<Problem?> SendAsync(HttpContext http, Answer document)
    {
        await JsonAnswer.WriteAsync(http, resource, document);
        return null;
    }

    private static Task<Problem?> Refuse(Problem problem) => Task.FromResult<Problem?>(problem);
}
