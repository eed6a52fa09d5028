using System.ComponentModel.DataAnnotations;
using ApexShop.Caching;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>Section <c>Caching</c>; the Redis address itself is <c>ConnectionStrings:Redis</c>.</summary>
internal sealed class CachingOptions
{
    public const string Section = "Caching";

    /// <summary>A response with more bytes is not cached.</summary>
    public const int LargestResponse = 1024 * 1024;

    /// <summary>A response whose key has more characters is not cached.</summary>
    public const int LongestKey = 512;

    /// <summary>StackExchange.Redis configuration string.</summary>
    [Required]
    public string Redis { get; set; } = "";

    /// <summary>Prefix of the keys and the channel in Redis; the Projector must use the same.</summary>
    [Required]
    public string Prefix { get; set; } = CacheNames.DefaultPrefix;

    /// <summary>Memory for single documents; 0 switches it off.</summary>
    [Range(0, 65_536)]
    public int DocumentMegabytes { get; set; } = 64;

    /// <summary>Memory for pages; 0 switches the cache of pages and counts off, in Redis too.</summary>
    [Range(0, 65_536)]
    public int ResponseMegabytes { get; set; } = 64;

    /// <summary>
    /// How long a shared cache, such as a CDN that follows GET /cache/purges, may keep a public response; 0 switches it
    /// off.
    /// </summary>
    [Range(0, 86_400)]
    public int SharedSeconds { get; set; }

    /// <summary>How long a response is cached in memory.</summary>
    [Range(1, 1_200)]
    public int MemorySeconds { get; set; } = 120;

    /// <summary>
    /// The bound of staleness: how old a response may become while it is not known that every change was announced.
    /// </summary>
    [Range(2, 60)]
    public int UnavailableSeconds { get; set; } = 2;

    /// <summary>How long a response is cached in Redis.</summary>
    // Less than the hour for which a tag's generation is kept.
    [Range(1, 1_800)]
    public int RedisSeconds { get; set; } = 300;

    /// <summary>How long a count is cached in Redis.</summary>
    [Range(1, 1_800)]
    public int CountSeconds { get; set; } = 900;

    /// <summary>How long a call may wait for Redis before the database is read instead.</summary>
    [Range(1, 10_000)]
    public int RedisMilliseconds { get; set; } = 50;

    /// <summary>How long to wait for a response that another process is reading.</summary>
    [Range(0, 10_000)]
    public int LeaseWaitMilliseconds { get; set; } = 150;
}

[OptionsValidator]
internal sealed partial class CachingOptionsValidator : IValidateOptions<CachingOptions>;
