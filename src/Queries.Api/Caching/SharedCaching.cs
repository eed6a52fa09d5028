using ApexShop.Caching;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>The headers with which a shared cache, such as a CDN, may keep a response.</summary>
/// <param name="CacheControl">How long it may keep the response.</param>
/// <param name="SurrogateKey">The tags by which it removes the response.</param>
/// <param name="IsAllowed">
/// Asked again when the response is sent: a process that was suspended since the read may have missed a purge.
/// </param>
internal sealed record SharedCaching(string CacheControl, string SurrogateKey, Func<bool> IsAllowed);

/// <summary>Decides which responses shared caches may keep: none by default.</summary>
internal sealed class SharedCachingRules(TagFence fence, IOptions<CachingOptions> options)
{
    // Browsers revalidate: they receive no purges.
    private readonly string? cacheControl = options.Value.SharedSeconds is var seconds and > 0
        ? string.Create(null, $"max-age=0, must-revalidate, s-maxage={seconds}")
        : null;

    /// <summary>Whether shared caches may keep any response.</summary>
    public bool AreOn => cacheControl is not null;

    /// <summary>
    /// Null if shared caches may not keep the response: it is not public, a purge of it might not be announced, or was
    /// announced after the <paramref name="mark"/> from before its read.
    /// </summary>
    public SharedCaching? Of(bool isPublic, IEnumerable<string> tags, FenceMark mark, int[] slots)
    {
        if (cacheControl is null || !isPublic || !IsAllowed()) return null;
        return new(cacheControl, string.Join(' ', tags.Where(tag => tag != CacheTags.Everything)), IsAllowed);

        bool IsAllowed() => fence.IsUpToDate && fence.IsCurrent(mark, slots);
    }
}
