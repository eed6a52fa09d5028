using ApexShop.Caching;

namespace ApexShop.Queries.Api.Caching;

/// <summary>The key of a response, the tags that invalidate it, and where it may be cached.</summary>
/// <param name="Key">The list and the query string as it was sent.</param>
/// <param name="Tags">What the response was made from; <see cref="CacheTags.Everything"/> is added.</param>
internal sealed record CacheQuery(string Key, string[] Tags)
{
    public string[] Tags { get; } = [.. Tags, CacheTags.Everything];

    /// <summary>The response contains no personal data, so it may be cached in Redis.</summary>
    public bool IsPublic { get; init; }

    public bool IsCount { get; init; }

    /// <summary>
    /// The caller sent a Consistency-Token; the tags of the change it names may not have been raised yet.
    /// </summary>
    public bool IsFresh { get; init; }

    /// <summary>A read takes about as long as a look-up in Redis.</summary>
    public bool IsCheap { get; init; }

    public long Epoch { get; init; }

    public bool IsTooLong => Key.Length > CachingOptions.LongestKey;
}
