using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>GET /limits: the limits of requests, and the responses when a caller exceeds them.</summary>
internal static class GetLimits
{
    public static void MapLimits(this WebApplication app)
    {
        var limits = CachedResponse.Of(app.Services.GetRequiredService<LimitTable>().ToJson());
        Task WriteAsync(HttpContext http) => new QueryParameters(http.Request.Query).Problem() is { } unknown
            ? unknown.WriteAsync(http)
            : JsonResponse.WriteAsync(http, limits, "no-cache", mayBeCompressed: true);
        app.MapMethods("/limits", [HttpMethods.Get, HttpMethods.Head], WriteAsync).WithName(nameof(GetLimits));
    }
}
