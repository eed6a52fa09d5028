namespace ApexShop.Caching;

/// <summary>
/// The names of the keys and the channel in Redis. A channel is visible in all databases of a server, so shops that
/// share a server need different values of <paramref name="Prefix"/> (setting <c>Caching:Prefix</c>).
/// </summary>
public sealed record CacheNames(string Prefix = CacheNames.DefaultPrefix)
{
    public const string Setting = "Caching:Prefix";
    public const string DefaultPrefix = "apexshop:";

    /// <summary>The channel on which invalidated tags are announced.</summary>
    public string Channel { get; } = $"{Prefix}tags";

    /// <summary>Key of the number of announcements; a reader that missed an announcement detects a gap.</summary>
    public string Announcements { get; } = $"{Prefix}tags:announced";

    /// <summary>Key of the highest generation of any tag.</summary>
    public string LastGeneration { get; } = $"{Prefix}tags:generation";

    /// <summary>
    /// Key of the replication id of the Redis that wrote the generations; it changes when a replica is promoted.
    /// </summary>
    public string Identity { get; } = $"{Prefix}tags:identity";

    /// <summary>Key of a tag's generation.</summary>
    public string Generation(string tag) => $"{Prefix}tag:{tag}";
}
