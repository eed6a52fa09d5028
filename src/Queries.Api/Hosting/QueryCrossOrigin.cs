using ApexShop.Consistency;
using ApexShop.Hosting;
using ApexShop.Limits;
using ApexShop.Queries.Api.Endpoints;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>What pages of other origins may send to this API.</summary>
internal static class QueryCrossOrigin
{
    /// <summary>The headers are those of a response beside the few that are always allowed.</summary>
    public static CrossOriginRules Rules { get; } = new(
        [HttpMethods.Get, HttpMethods.Head],
        ["Accept", "Authorization", "If-None-Match", ConsistencyToken.Header],
        [
            "ETag", "Link", ConsistencyToken.Header, "Retry-After",
            CallerRateLimiter.StateHeader, CallerRateLimiter.PolicyHeader, "Deprecation", "Sunset",
            "Content-Disposition", ExportDocuments.LimitHeader, "WWW-Authenticate",
        ]);
}
