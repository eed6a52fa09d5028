using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// The header of a response that refuses a position: where the last states are that the client continues with instead.
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
