using ApexShop.Limits;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Queries.Api.Requests;

/// <summary>The response headers that the pipeline sets, whatever the endpoint does.</summary>
internal static class PipelineHeaders
{
    private static readonly string[] names =
    [
        CallerRateLimiter.PolicyHeader, CallerRateLimiter.StateHeader, "Strict-Transport-Security",
        "X-Content-Type-Options",
    ];

    /// <summary>Removes everything that the endpoint set.</summary>
    public static void ClearOthers(HttpResponse response)
    {
        var headers = response.Headers;
        StringValues[] kept = [.. names.Select(name => headers[name])];
        response.Clear();
        foreach (var (name, value) in names.Zip(kept))
        {
            if (value.Count > 0) headers[name] = value;
        }
    }
}
