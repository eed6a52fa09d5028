using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;
using ApexShop.Limits;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Refuses the requests of a caller that exceeds its rate limit.</summary>
internal sealed class RequestRateLimit(IOptions<LimitOptions> limits, TimeProvider clock, IMeterFactory meters)
{
    private readonly RateLimitMetrics refusals = new(meters.Create(CommandsMeter.Name));
    private readonly CallerRateLimiter rates = new(limits.Value.KeyRate, limits.Value.AnonymousRate, clock);

    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var isAllowed = rates.Pass(http);
        if (!isAllowed) refusals.Refused(http);
        var headers = http.Response.Headers;
        // Set again at the end, because the response to an exception starts with new headers.
        http.Response.OnStarting(
            SetAsync, (headers, headers[CallerRateLimiter.PolicyHeader], headers[CallerRateLimiter.StateHeader]));
        return isAllowed ? next(http) : Task.CompletedTask;
    }

    private static Task SetAsync(object saved)
    {
        var (headers, policy, state) = ((IHeaderDictionary, StringValues, StringValues))saved;
        headers[CallerRateLimiter.PolicyHeader] = policy;
        headers[CallerRateLimiter.StateHeader] = state;
        return Task.CompletedTask;
    }
}
