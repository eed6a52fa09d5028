using System.ComponentModel.DataAnnotations;
using ApexShop.Caching;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Caching;

/// <summary>Section <c>Caching</c>; the Redis address itself is <c>ConnectionStrings:Redis</c>.</summary>
internal sealed class CachingOptions
{
    public const string Section = "Caching";

    /// <summary>An answer of more bytes is not kept.</summary>
    public const int LargestAnswer = 1024 * 1024;

    /// <summary>A question of more characters is not kept.</summary>
    public const int LongestKey = 512;

    /// <summary>StackExchange.Redis configuration string.</summary>
    [Required]
    public string Redis { get; set; } = "";

    /// <summary>What the shop's keys and its channel in Redis begin with; the Projector's must be the same.</summary>
    [Required]
    public string Prefix { get; set; } = CacheNames.DefaultPrefix;

    /// <summary>Memory for single documents; 0 keeps none.</summary>
    [Range(0, 65_536)]
    public int DocumentMegabytes { get; set; } = 64;

    /// <summary>Memory for pages, counts and searches; 0 keeps none, in Redis neither.</summary>
    [Range(0, 65_536)]
    public int AnswerMegabytes { get; set; } = 64;

    /// <summary>How long an answer is kept in memory.</summary>
    [Range(1, 1_200)]
    public int MemorySeconds { get; set; } = 120;

    /// <summary>How long an answer is kept in memory while nobody hears of changes, Redis being unavailable.</summary>
    [Range(1, 60)]
    public int UnavailableSeconds { get; set; } = 2;

    // Below the hour that a tag's generation is kept.
    [Range(1, 1_800)]
    public int RedisSeconds { get; set; } = 300;

    [Range(1, 1_800)]
    public int CountSeconds { get; set; } = 900;

    /// <summary>How long one call may wait for Redis before the answer is read from the database instead.</summary>
    [Range(1, 10_000)]
    public int RedisMilliseconds { get; set; } = 50;

    /// <summary>How long an answer that another process is reading is waited for.</summary>
    [Range(0, 10_000)]
    public int LeaseWaitMilliseconds { get; set; } = 150;
}

[OptionsValidator]
internal sealed partial class CachingOptionsValidator : IValidateOptions<CachingOptions>;
