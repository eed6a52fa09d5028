using ApexShop.Caching;

namespace ApexShop.Queries.Api.Caching;

/// <summary>What is asked for, under which tags the answer stands, and where it may be kept.</summary>
/// <param name="Key">The list and the query string as it was sent.</param>
/// <param name="Tags">What the answer was made of; <see cref="CacheTags.Everything"/> is added.</param>
internal sealed record Question(string Key, string[] Tags)
{
    public string[] Tags { get; } = [.. Tags, CacheTags.Everything];

    /// <summary>It holds no personal data, so Redis may have it.</summary>
    public bool IsPublic { get; init; }

    public bool IsCount { get; init; }

    /// <summary>The answer is wanted by somebody who knows of a change that no tag may tell of yet.</summary>
    public bool IsFresh { get; init; }

    public long Epoch { get; init; }
}
