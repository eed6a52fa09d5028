using System.Globalization;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>What the answers of a version that goes away say: since when (RFC 9745), until when (RFC 8594), what instead.</summary>
internal sealed record DeprecatedVersion(DateTimeOffset Since, DateTimeOffset Until, string Successor)
{
    /// <summary>The first version of the lists, kept for a year.</summary>
    public static DeprecatedVersion First(string resource) => new(
        new(2026, 11, 20, 0, 0, 0, TimeSpan.Zero), new(2027, 11, 20, 0, 0, 0, TimeSpan.Zero), $"/{resource}/v2");

    /// <summary>The same answers, with what is to be said.</summary>
    public RequestDelegate Announced(RequestDelegate answer) => http =>
    {
        Announce(http);
        return answer(http);
    };

    private void Announce(HttpContext http)
    {
        var headers = http.Response.Headers;
        headers["Deprecation"] = string.Create(CultureInfo.InvariantCulture, $"@{Since.ToUnixTimeSeconds()}");
        headers["Sunset"] = Until.ToString("R", CultureInfo.InvariantCulture);
        PageLinks.AddSuccessor(http, Successor);
    }
}
