using System.Globalization;
using System.Threading.RateLimiting;
using ApexShop.Access;
using Microsoft.AspNetCore.RateLimiting;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>
/// How often a caller may call: by the name of the key, without a known one by address. Every answer tells how much is
/// left (RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers).
/// </summary>
internal sealed class RequestRate(IOptions<LimitOptions> limits) : IDisposable
{
    private readonly PartitionedRateLimiter<HttpContext> limiter = PartitionedRateLimiter.Create<HttpContext, string>(
        http => RateLimitPartition.GetTokenBucketLimiter(Caller.Of(http), _ => Bucket(RateOf(http, limits.Value))));

    public void Apply(RateLimiterOptions options)
    {
        options.GlobalLimiter = limiter;
        options.RejectionStatusCode = StatusCodes.Status429TooManyRequests;
        options.OnRejected = static (rejected, _) =>
        {
            if (rejected.Lease.TryGetMetadata(MetadataName.RetryAfter, out var wait))
                rejected.HttpContext.Response.Headers.RetryAfter = Seconds(wait.TotalSeconds);
            return ValueTask.CompletedTask;
        };
    }

    /// <summary>Stands before the limiter, so that its refusals tell what is left too.</summary>
    public Task TellAsync(HttpContext http, RequestDelegate next)
    {
        http.Response.OnStarting(Tell, http);
        return next(http);
    }

    public void Dispose() => limiter.Dispose();

    private Task Tell(object state)
    {
        var http = (HttpContext)state;
        var (policy, rate) = (IsKnown(http) ? "key" : "anonymous", RateOf(http, limits.Value));
        var left = limiter.GetStatistics(http)?.CurrentAvailablePermits ?? 0;
        var (all, reset) = (Seconds(rate.Burst * (double)rate.Seconds / rate.Requests), Seconds((rate.Burst - left) * (double)rate.Seconds / rate.Requests));
        http.Response.Headers["RateLimit-Policy"] = string.Create(CultureInfo.InvariantCulture, $"\"{policy}\";q={rate.Burst};w={all}");
        http.Response.Headers["RateLimit"] = string.Create(CultureInfo.InvariantCulture, $"\"{policy}\";r={left};t={reset}");
        return Task.CompletedTask;
    }

    private static TokenBucketRateLimiterOptions Bucket(RateOptions rate) => new()
    {
        TokenLimit = rate.Burst,
        TokensPerPeriod = rate.Requests,
        ReplenishmentPeriod = TimeSpan.FromSeconds(rate.Seconds),
    };

    private static RateOptions RateOf(HttpContext http, LimitOptions limits) => IsKnown(http) ? limits.KeyRate : limits.AnonymousRate;

    private static bool IsKnown(HttpContext http) => http.User.Identity is { IsAuthenticated: true };

    private static string Seconds(double seconds) => Math.Ceiling(seconds).ToString(CultureInfo.InvariantCulture);
}
