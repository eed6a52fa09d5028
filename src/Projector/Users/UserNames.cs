namespace ApexShop.Projector.Users;

/// <summary>How a user is called in other documents; a user who is not known (any more) has no name.</summary>
internal static class UserNames
{
    /// <summary>For the shop itself: "First Last".</summary>
    public static string? Full(this Dictionary<int, (string First, string Last)> names, int id) =>
        names.TryGetValue(id, out var name) ? $"{name.First} {name.Last}" : null;

    /// <summary>For everybody: "First L." and nothing more.</summary>
    public static string? Public(this Dictionary<int, (string First, string Last)> names, int id)
    {
        if (!names.TryGetValue(id, out var name)) return null;
        // A rune and not a char: half of a surrogate pair is not text.
        return name.Last.Length == 0 ? name.First : $"{name.First} {name.Last.EnumerateRunes().First()}.";
    }
}
