using System.Globalization;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>What answers of a version say that goes away: since when (RFC 9745), until when (RFC 8594), and what instead.</summary>
internal sealed record DeprecatedVersion(DateTimeOffset Since, DateTimeOffset Until, string Successor)
{
    /// <summary>The first version of the lists, kept for a year.</summary>
    public static DeprecatedVersion First(string resource) => new(
        new(2026, 11, 20, 0, 0, 0, TimeSpan.Zero), new(2027, 11, 20, 0, 0, 0, TimeSpan.Zero), $"/{resource}/v2");

    public void Announce(HttpContext http)
    {
        var headers = http.Response.Headers;
        headers["Deprecation"] = string.Create(CultureInfo.InvariantCulture, $"@{Since.ToUnixTimeSeconds()}");
        headers["Sunset"] = Until.ToString("R", CultureInfo.InvariantCulture);
        PageLinks.AddSuccessor(http, Successor);
    }
}
