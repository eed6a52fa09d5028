using System.Text.Json.Nodes;
using ApexShop.Limits;
using ApexShop.Queries.Api.Endpoints;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>The headers of answers, each described once.</summary>
internal static class AnswerHeaders
{
    public static string[] Rate { get; } = [CallerRateLimiter.StateHeader, CallerRateLimiter.PolicyHeader];

    public static string[] Document { get; } = ["ETag", "Cache-Control", "Vary", "Content-Encoding"];

    public static string[] Page { get; } = [.. Document, "Link"];

    public static string[] FirstVersion { get; } = [.. Document, "Successor", "Deprecation", "Sunset"];

    public static string[] Stream { get; } = ["Cache-Control", "Vary", "Content-Encoding"];

    public static string[] Export { get; } = ["Cache-Control", "Content-Disposition", ExportDocuments.LimitHeader];

    private static readonly (string Name, bool IsAlways, string Description, JsonNode Example)[] all =
    [
        ("ETag", true, "The state of the answer in its coding: what If-None-Match takes.", "\"1-17\""),
        ("Cache-Control", true, "`no-cache`: may be kept and is to be asked about; documents behind a scope may not be kept.", "no-cache"),
        ("Vary", false, "What else the answer depends on.", "Accept-Encoding"),
        ("Content-Encoding", false, "`br` or `gzip` for clients that ask, where it saves a packet; never for documents behind a scope.", "br"),
        ("Link", false, "The next and the previous page (RFC 8288).", "</products/v2?page=2>; rel=\"next\""),
        ("Successor", true, "The same question to the version that takes this one's place, and other pages.", "</products/v2>; rel=\"successor-version\""),
        ("Deprecation", true, "Since when this version is deprecated (RFC 9745).", "@1795132800"),
        ("Sunset", true, "Until when it is there (RFC 8594).", "Sat, 20 Nov 2027 00:00:00 GMT"),
        ("Content-Disposition", true, "A name for the file.", "attachment; filename=products.ndjson"),
        (ExportDocuments.LimitHeader, true, "As many lines at most: a file with so many may have a next part.", "100000"),
        ("Retry-After", true, "Seconds after which to ask again.", 2),
        ("WWW-Authenticate", true, "How to say who is asking.", "Bearer"),
        (CallerRateLimiter.StateHeader, true, "What is left: `r` requests, and all are back after `t` seconds.", "\"anonymous\";r=9999;t=1"),
        (CallerRateLimiter.PolicyHeader, true, "What there is: `q` requests in `w` seconds, by key or, without a known one, by address.", "\"anonymous\";q=10000;w=5"),
    ];

    public static JsonObject Components() => Json.Members(all.Select(header => (header.Name, (JsonNode)new JsonObject
    {
        ["description"] = header.Description,
        ["required"] = header.IsAlways,
        ["schema"] = new JsonObject { ["type"] = header.Name == "Retry-After" ? "integer" : "string" },
        ["example"] = header.Example.DeepClone(),
    })));

    // Link is one header and means more in the first version.
    public static JsonObject References(IEnumerable<string> names) => Json.Members(names.Select(
        name => (name == "Successor" ? "Link" : name, (JsonNode)Json.Reference("headers", name))));
}
