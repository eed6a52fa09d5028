namespace ApexShop.Projector.Users;

/// <summary>A user's name in other documents; null for a user who is deleted or not there yet.</summary>
internal static class UserNames
{
    /// <summary>"First Last", for the shop itself.</summary>
    public static string? Full(this Dictionary<int, (string First, string Last)> names, int id) =>
        names.TryGetValue(id, out var name) ? Full(name) : null;

    /// <summary>"First L.", for the public.</summary>
    public static string? Public(this Dictionary<int, (string First, string Last)> names, int id) =>
        names.TryGetValue(id, out var name) ? Public(name) : null;

    public static string Full((string First, string Last) name) => $"{name.First} {name.Last}";

    // A rune and not a char: half of a surrogate pair is not text.
    public static string Public((string First, string Last) name) =>
        name.Last.Length == 0 ? name.First : $"{name.First} {name.Last.EnumerateRunes().First()}.";
}
