using Microsoft.AspNetCore.Http.Extensions;

namespace ApexShop.Queries.Api.Requests;

/// <summary>
/// The Link header (RFC 8288) to other pages of the same list: only the position changes. It holds copies, since a read
/// that other requests joined may outlive the request that began it. The path is that of the route: the spelling of the
/// request's path may differ (capital letters, a slash at the end), and other requests get the same response.
/// </summary>
internal sealed class PageLinks(string path, IQueryCollection query)
{
    private static readonly string[] positions = ["page", "after", "before", "afterId"];

    private readonly List<KeyValuePair<string, string>> others =
    [
        .. from parameter in query
           where !positions.Contains(parameter.Key, StringComparer.OrdinalIgnoreCase)
           select KeyValuePair.Create(parameter.Key, (string?)parameter.Value ?? ""),
    ];

    /// <summary>Adds the link to the same query of the version that replaces this one.</summary>
    public static void AddSuccessor(HttpContext http, string path) => http.Response.Headers.Append(
        "Link",
        Link("successor-version", new PathString(path).ToUriComponent(), QueryString.Create(http.Request.Query)));

    /// <summary>The link to the same list under another path, from its beginning.</summary>
    public string Alternate(string otherPath) =>
        Link("alternate", otherPath, new QueryBuilder(others).ToQueryString());

    /// <summary>The link to the beginning.</summary>
    public string First() => Link("first", path, new QueryBuilder(others).ToQueryString());

    /// <summary>The links to the next and the previous page; without a value there is no such page.</summary>
    public string? Header(string nextParameter, string? next, string previousParameter, string? previous)
    {
        var links = (string?[])[Page("next", nextParameter, next), Page("prev", previousParameter, previous)];
        return next is null && previous is null ? null : string.Join(", ", links.Where(link => link is not null));
    }

    private string? Page(string relation, string parameter, string? value) => value is null
        ? null
        : Link(relation, path, new QueryBuilder(others) { { parameter, value } }.ToQueryString());

    private static string Link(string relation, string path, QueryString query) =>
        $"<{path}{query.ToUriComponent()}>; rel=\"{relation}\"";
}
