using ApexShop.Limits;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Queries.Api.Requests;

/// <summary>What the pipeline says of every answer, whatever becomes of the request behind it.</summary>
internal static class PipelineHeaders
{
    private static readonly string[] names = [CallerRateLimiter.PolicyHeader, CallerRateLimiter.StateHeader, "Strict-Transport-Security"];

    /// <summary>Takes back all that an endpoint said so far.</summary>
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
