using System.Diagnostics.Metrics;
using ApexShop.Limits;
using ApexShop.Queries.Api.Telemetry;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Limits;

/// <summary>Rejects the requests of a caller that exceed its rate.</summary>
internal sealed class RequestRateLimit(IOptions<LimitOptions> limits, TimeProvider clock, IMeterFactory meters)
{
    private readonly RateLimitMetrics refusals = new(meters.Create(QueriesMeter.Name));
    private readonly CallerRateLimiter rates = new(limits.Value.KeyRate, limits.Value.AnonymousRate, clock);

    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (rates.Pass(http)) return next(http);
        refusals.Refused(http);
        return Task.CompletedTask;
    }
}
