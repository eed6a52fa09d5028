using System.Security.Claims;
using System.Threading.RateLimiting;

namespace ApexShop.Limits;

/// <summary>
/// Limits the followers of a feed without an end: at most so many at a time, and half of them with one key, so that a
/// consumer that leaves its connections open does not keep the others out.
/// </summary>
public sealed class FollowerLimit : IDisposable
{
    private readonly int maxFollowers;
    private readonly PartitionedRateLimiter<string> ofKey;
    private readonly PartitionedRateLimiter<string> ofAll;
    private readonly PartitionedRateLimiter<string> both;

    public FollowerLimit(int maxFollowers)
    {
        this.maxFollowers = maxFollowers;
        ofKey = Limiter(key => key, Math.Max(maxFollowers / 2, 1));
        ofAll = Limiter(_ => "", maxFollowers);
        both = PartitionedRateLimiter.CreateChained(ofKey, ofAll);
    }

    /// <summary>Whether there is a follower.</summary>
    public bool HasFollowers => ofAll.GetStatistics("")!.CurrentAvailablePermits < maxFollowers;

    /// <summary>A place until it is disposed of; it is not acquired when there are too many followers.</summary>
    public RateLimitLease Take(ClaimsPrincipal caller) => both.AttemptAcquire(caller.Identity?.Name ?? "");

    public void Dispose()
    {
        both.Dispose();
        ofKey.Dispose();
        ofAll.Dispose();
    }

    private static PartitionedRateLimiter<string> Limiter(Func<string, string> partition, int most) =>
        PartitionedRateLimiter.Create<string, string>(key =>
            RateLimitPartition.GetConcurrencyLimiter(partition(key), _ => new() { PermitLimit = most }));
}
