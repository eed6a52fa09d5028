using System.Diagnostics.Metrics;
using ApexShop.Access;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Limits;

/// <summary>
/// Counts the requests that a rate limit refused, by kind of caller; the metric names no single caller.
/// </summary>
public sealed class RateLimitMetrics(Meter meter)
{
    private static readonly KeyValuePair<string, object?> key = new("caller", "key");
    private static readonly KeyValuePair<string, object?> anonymous = new("caller", "anonymous");

    private readonly Counter<long> refused = meter.CreateCounter<long>(
        "apexshop.requests.refused", "{request}", "Requests that a rate limit refused.");

    public void Refused(HttpContext http) =>
        refused.Add(1, CallerIdentity.HasKey(http) ? key : anonymous);
}
