using System.Globalization;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /R/{id}: one document; 304 when the client has this very state of it.</summary>
internal sealed class GetDocument(Resource resource, ReadModelReader documents)
{
    private const int UsualLength = 4096;

    public async Task<Problem?> HandleAsync(HttpContext http)
    {
        if (!AcceptedMedia.AcceptsJson(http.Request)) return Problem.NotAcceptable(AcceptedMedia.Json);
        if (new QueryParameters(http.Request.Query).Problem() is { } problem) return problem;

        var id = int.Parse((string)http.Request.RouteValues["id"]!, NumberStyles.Integer, CultureInfo.InvariantCulture);
        using var body = new PooledBuffer(UsualLength);
        if (await documents.FindAsync(id, body, http.RequestAborted) is not { } version)
        {
            return Problem.NotFound(resource.Singular, id);
        }

        http.Response.Headers.ETag = version.ETag;
        http.Response.Headers.CacheControl = resource.CacheControl;
        if (IsKnown(http.Request, version.ETag)) http.Response.StatusCode = StatusCodes.Status304NotModified;
        else await JsonAnswer.WriteAsync(http, body);
        return null;
    }

    private static bool IsKnown(HttpRequest request, string etag)
    {
        var header = request.Headers.IfNoneMatch;
        if (header.Count == 0 || !EntityTagHeaderValue.TryParseList(header, out var tags)) return false;
        var current = new EntityTagHeaderValue(etag);
        return tags.Contains(EntityTagHeaderValue.Any)
            || tags.Any(tag => tag.Compare(current, useStrongComparison: false));
    }
}
