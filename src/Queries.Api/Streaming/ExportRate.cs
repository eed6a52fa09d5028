using System.Threading.RateLimiting;
using ApexShop.Access;
using ApexShop.Queries.Api.Requests;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// How often a caller may export. Not part of the pipeline's limiter: what is refused for another reason, and HEAD,
/// which sends nothing, use up no export.
/// </summary>
internal sealed class ExportRate(IOptions<StreamingOptions> streaming) : IDisposable
{
    private readonly StreamingOptions options = streaming.Value;
    private readonly PartitionedRateLimiter<HttpContext> limiter = PartitionedRateLimiter.Create<HttpContext, string>(
        http => RateLimitPartition.GetFixedWindowLimiter(CallerIdentity.Of(http), _ => Window(streaming.Value)));

    /// <summary>Takes one of the caller's exports; a problem when there is none left.</summary>
    public Problem? Take(HttpContext http)
    {
        using var lease = limiter.AttemptAcquire(http);
        if (lease.IsAcquired) return null;
        var wait = lease.TryGetMetadata(MetadataName.RetryAfter, out var told) ? told.TotalSeconds : options.ExportSeconds;
        return Problem.TooManyExports(options.Exports, options.ExportSeconds, (int)Math.Ceiling(wait));
    }

    public void Dispose() => limiter.Dispose();

    private static FixedWindowRateLimiterOptions Window(StreamingOptions options) =>
        new() { PermitLimit = options.Exports, Window = TimeSpan.FromSeconds(options.ExportSeconds) };
}
