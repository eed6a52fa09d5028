using System.Globalization;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// The headers of a deprecated version: since when (RFC 9745), until when (RFC 8594), and its successor.
/// </summary>
internal sealed record DeprecatedVersion(DateTimeOffset Since, DateTimeOffset Until, string Successor)
{
    /// <summary>The first version of the lists, which is available for a year.</summary>
    public static DeprecatedVersion First(string resource) => new(
        new(2026, 11, 20, 0, 0, 0, TimeSpan.Zero), new(2027, 11, 20, 0, 0, 0, TimeSpan.Zero), $"/{resource}/v2");

    // Only when the response starts, because a read that is repeated removes what was set before. A problem has none.
    public RequestDelegate AddHeaders(RequestDelegate query) => http =>
    {
        http.Response.OnStarting(AddTo, http);
        return query(http);
    };

    private Task AddTo(object state)
    {
        var http = (HttpContext)state;
        if (http.Response.StatusCode >= StatusCodes.Status400BadRequest) return Task.CompletedTask;
        var headers = http.Response.Headers;
        headers["Deprecation"] = string.Create(CultureInfo.InvariantCulture, $"@{Since.ToUnixTimeSeconds()}");
        headers["Sunset"] = Until.ToString("R", CultureInfo.InvariantCulture);
        PageLinks.AddSuccessor(http, Successor);
        return Task.CompletedTask;
    }
}
