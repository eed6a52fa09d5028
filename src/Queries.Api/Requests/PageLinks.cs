using System.Globalization;
using Microsoft.AspNetCore.Http.Extensions;

namespace ApexShop.Queries.Api.Requests;

/// <summary>
/// The Link header (RFC 8288) to other pages of the same list: what was asked for stays, only the place changes. It
/// holds copies, since a read that others joined outlives the request that began it.
/// </summary>
internal sealed class PageLinks(HttpRequest request)
{
    private static readonly string[] places = ["page", "after", "before", "afterId"];

    private readonly string path = (request.PathBase + request.Path).ToUriComponent();
    private readonly List<KeyValuePair<string, string>> kept =
    [
        .. from parameter in request.Query
           where !places.Contains(parameter.Key, StringComparer.OrdinalIgnoreCase)
           select KeyValuePair.Create(parameter.Key, (string?)parameter.Value ?? ""),
    ];

    public string? Header { get; private set; }

    /// <summary>The same question to the version that takes this one's place.</summary>
    public static void AddSuccessor(HttpContext http, string path) => http.Response.Headers.Append(
        "Link", Link("successor-version", new PathString(path).ToUriComponent(), http.Request.QueryString));

    public void AddPage(string relation, long page) =>
        Add(relation, "page", page.ToString(CultureInfo.InvariantCulture));

    /// <summary>Nothing for a place that is null: there is no such page.</summary>
    public void Add(string relation, string parameter, string? place)
    {
        if (place is null) return;
        var link = Link(relation, path, new QueryBuilder(kept) { { parameter, place } }.ToQueryString());
        Header = Header is null ? link : $"{Header}, {link}";
    }

    private static string Link(string relation, string path, QueryString query) =>
        $"<{path}{query.ToUriComponent()}>; rel=\"{relation}\"";
}
