using System.Diagnostics.Metrics;
using ApexShop.Limits;
using ApexShop.Queries.Api.Caching;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Limits;

/// <summary>Refuses a caller who has used up his requests.</summary>
internal sealed class RequestRate(IOptions<LimitOptions> limits, TimeProvider clock, IMeterFactory meters)
{
    private readonly RateLimitMetrics refusals = new(meters.Create(CacheMetrics.MeterName));
    private readonly CallerRateLimiter rates = new(limits.Value.KeyRate, limits.Value.AnonymousRate, clock);

    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (rates.Pass(http)) return next(http);
        refusals.Refused(http);
        return Task.CompletedTask;
    }
}
