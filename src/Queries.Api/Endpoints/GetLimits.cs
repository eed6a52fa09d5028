using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /limits: the limits of requests, and the responses when a caller exceeds them.</summary>
internal static class GetLimits
{
    public static void MapLimits(this WebApplication app)
    {
        var limits = CachedResponse.Of(app.Services.GetRequiredService<LimitTable>().ToJson());
        Task WriteAsync(HttpContext http) => ProblemOf(http.Request) is { } problem
            ? problem.WriteAsync(http)
            : JsonResponse.WriteAsync(http, limits, "no-cache", mayBeCompressed: true);
        app.MapMethods("/limits", [HttpMethods.Get, HttpMethods.Head], WriteAsync).WithName(nameof(GetLimits));
    }

    private static Problem? ProblemOf(HttpRequest request) => AcceptedMediaTypes.AcceptsJson(request)
        ? new QueryParameters(request.Query).Problem()
        : Problem.NotAcceptable(AcceptedMediaTypes.Json);
}
