using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Pipeline;
using ApexShop.Limits;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Refuses a caller who has used up his requests.</summary>
internal sealed class RequestRate(IOptions<LimitOptions> limits, TimeProvider clock, IMeterFactory meters)
{
    private readonly RateLimitMetrics refusals = new(meters.Create(CommandMetrics.Meter));
    private readonly CallerRateLimiter rates = new(limits.Value.KeyRate, limits.Value.AnonymousRate, clock);

    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var mayGoOn = rates.Pass(http);
        if (!mayGoOn) refusals.Refused(http);
        var headers = http.Response.Headers;
        // Once more at the end: the answer to an exception begins with headers of its own.
        http.Response.OnStarting(Tell, (headers, headers[CallerRateLimiter.PolicyHeader], headers[CallerRateLimiter.StateHeader]));
        return mayGoOn ? next(http) : Task.CompletedTask;
    }

    private static Task Tell(object told)
    {
        var (headers, policy, state) = ((IHeaderDictionary, StringValues, StringValues))told;
        headers[CallerRateLimiter.PolicyHeader] = policy;
        headers[CallerRateLimiter.StateHeader] = state;
        return Task.CompletedTask;
    }
}
