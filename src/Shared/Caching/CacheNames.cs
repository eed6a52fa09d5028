namespace ApexShop.Caching;

/// <summary>
/// What a shop calls its keys and its channel in Redis. A channel belongs to the whole server, whatever the number of
/// the database, so shops that share a server differ in <paramref name="Prefix"/> (setting <c>Caching:Prefix</c>).
/// </summary>
public sealed record CacheNames(string Prefix = CacheNames.DefaultPrefix)
{
    public const string Setting = "Caching:Prefix";
    public const string DefaultPrefix = "apexshop:";

    /// <summary>Channel on which raised tags are announced.</summary>
    public string Channel { get; } = $"{Prefix}tags";

    /// <summary>Key of the number of announcements so far; a reader that missed one sees a gap.</summary>
    public string Announcements { get; } = $"{Prefix}tags:announced";

    /// <summary>Key of the highest generation that was given to any tag.</summary>
    public string LastGeneration { get; } = $"{Prefix}tags:generation";

    /// <summary>Key of a tag's generation.</summary>
    public string Generation(string tag) => $"{Prefix}tag:{tag}";
}
