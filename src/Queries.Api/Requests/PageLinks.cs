using Microsoft.AspNetCore.Http.Extensions;

namespace ApexShop.Queries.Api.Requests;

/// <summary>Link headers (RFC 8288) to other pages of the same list: what was asked for stays, only the place changes.</summary>
internal static class PageLinks
{
    private static readonly string[] places = ["page", "after", "before", "afterId"];

    public static void AddPage(HttpContext http, string relation, long page) =>
        Add(http, relation, "page", page.ToString(System.Globalization.CultureInfo.InvariantCulture));

    /// <summary>Nothing for a place that is null: there is no such page.</summary>
    public static void Add(HttpContext http, string relation, string parameter, string? place)
    {
        if (place is null) return;
        var query = new QueryBuilder();
        foreach (var (name, values) in http.Request.Query)
        {
            if (!places.Contains(name, StringComparer.OrdinalIgnoreCase)) query.Add(name, (string?)values ?? "");
        }

        query.Add(parameter, place);
        Append(http, relation, http.Request.PathBase + http.Request.Path, query.ToQueryString());
    }

    /// <summary>The same question to the version that takes this one's place.</summary>
    public static void AddSuccessor(HttpContext http, string path) =>
        Append(http, "successor-version", path, http.Request.QueryString);

    private static void Append(HttpContext http, string relation, PathString path, QueryString query) =>
        http.Response.Headers.Append("Link", $"<{path.ToUriComponent()}{query.ToUriComponent()}>; rel=\"{relation}\"");
}
