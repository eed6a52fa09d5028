using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>The versions that a reader has seen of an aggregate; they must not go back.</summary>
internal sealed class VersionOrder<TKey>(History history)
    where TKey : notnull
{
    private readonly Dictionary<TKey, long> last = [];

    /// <summary>Returns what is wrong with the next sight of an aggregate, or null.</summary>
    public string? Next(TKey key, string resource, Sight sight)
    {
        var before = last.GetValueOrDefault(key);
        var version = sight.Version;
        if (version == 0 && before > 0)
        {
            // An absent document that was seen before must have been deleted, and stays absent.
            if (history.LastOf(resource, sight.Id) is not { Kind: EventKind.Deleted } deletion)
                return $"does not show {resource}/{sight.Id}, seen before in version {before}";
            version = deletion.Version;
        }

        last[key] = Math.Max(before, version);
        return version >= before
            ? null
            : $"shows version {version} of {resource}/{sight.Id}, seen before in version {before}";
    }
}
