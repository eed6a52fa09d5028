using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// The header <c>Link</c> of a response that refuses a position: the address of the last state of each aggregate, with
/// which the client can begin again.
/// </summary>
internal static class CompactedLink
{
    private static readonly string[] selecting = ["resource", "types", "aggregate"];

    /// <summary>Refuses with a link to the compacted log with the same selection of events.</summary>
    public static Task RefuseAsync(HttpContext http, Problem gone)
    {
        var query = QueryString.Create("compacted", "true");
        foreach (var name in selecting)
            foreach (var value in http.Request.Query[name])
                query = query.Add(name, value!);
        http.Response.Headers.Link = $"<{http.Request.PathBase.Add("/events")}{query}>; rel=\"alternate\"";
        return CommandResponses.ToHttp(gone).ExecuteAsync(http);
    }
}
