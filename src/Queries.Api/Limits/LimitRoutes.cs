using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Endpoints;

namespace ApexShop.Queries.Api.Limits;

/// <summary>GET /limits: how much a caller may ask for, and what is said beyond.</summary>
internal static class LimitRoutes
{
    public const string Name = "GetLimits";

    public static void MapLimits(this WebApplication app)
    {
        var limits = Answer.Of(app.Services.GetRequiredService<LimitTable>().ToJson());
        Task AnswerAsync(HttpContext http) => JsonAnswer.WriteAsync(http, limits, "no-cache", mayBeCoded: true);
        app.MapMethods("/limits", [HttpMethods.Get, HttpMethods.Head], AnswerAsync).WithName(Name);
    }
}
