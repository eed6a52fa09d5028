using System.Threading.RateLimiting;
using ApexShop.Access;
using ApexShop.Queries.Api.Requests;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// Limits how often a caller may export. It is not part of the pipeline's rate limiter: a request that is rejected for
/// another reason, and a HEAD request, do not count.
/// </summary>
internal sealed class ExportRateLimit(IOptions<StreamingOptions> streaming) : IDisposable
{
    private readonly StreamingOptions options = streaming.Value;
    private readonly PartitionedRateLimiter<HttpContext> limiter = PartitionedRateLimiter.Create<HttpContext, string>(
        http => RateLimitPartition.GetFixedWindowLimiter(CallerIdentity.Of(http), _ => Window(streaming.Value)));

    /// <summary>Counts an export of the caller; a problem when it has none left.</summary>
    public Problem? Take(HttpContext http)
    {
        // The same request again, after a lost connection of the database.
        if (http.Items.ContainsKey(typeof(ExportRateLimit))) return null;
        using var lease = limiter.AttemptAcquire(http);
        if (lease.IsAcquired)
        {
            http.Items[typeof(ExportRateLimit)] = true;
            return null;
        }

        var hasTime = lease.TryGetMetadata(MetadataName.RetryAfter, out var retryAfter);
        var wait = hasTime ? retryAfter.TotalSeconds : options.ExportSeconds;
        return Problem.TooManyExports(options.Exports, options.ExportSeconds, (int)Math.Ceiling(wait));
    }

    public void Dispose() => limiter.Dispose();

    private static FixedWindowRateLimiterOptions Window(StreamingOptions options) =>
        new() { PermitLimit = options.Exports, Window = TimeSpan.FromSeconds(options.ExportSeconds) };
}
