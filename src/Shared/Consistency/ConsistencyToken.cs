using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using ApexShop.Resources;

namespace ApexShop.Consistency;

/// <summary>
/// What a writer wants to see again: for each resource that a command changed, the aggregate of its last event and the
/// version that one gave it. Events of a resource are applied in their order, so whoever sees that version sees the
/// whole command. Opaque to callers; a command that changed nothing gives a token that every reader has reached.
/// </summary>
public sealed record ConsistencyToken(IReadOnlyList<ConsistencyToken.Change> Changes)
{
    /// <summary>Name of the header that carries it, in a command's answer and in a query.</summary>
    public const string Header = "Consistency-Token";

    // So long is a token that names every resource with the largest numbers there are.
    private const int MaxLength = 400;
    private const string Format = "1";

    /// <summary>Version <paramref name="Version"/> of aggregate <paramref name="Id"/>, a tombstone's included.</summary>
    public sealed record Change(string Resource, int Id, long Version);

    public static bool TryParse(string? text, [NotNullWhen(true)] out ConsistencyToken? token)
    {
        token = null;
        if (text is null or { Length: > MaxLength } || !Base64Url.IsValid(text)) return false;

        var parts = Encoding.UTF8.GetString(Base64Url.DecodeFromChars(text)).Split(' ');
        if (parts[0] != Format) return false;
        var changes = new List<Change>(parts.Length - 1);
        foreach (var part in parts.AsSpan(1))
        {
            if (ToChange(part.Split('.')) is not { } change || changes.Exists(known => known.Resource == change.Resource)) return false;
            changes.Add(change);
        }

        // A token has one spelling: whatever was padded, wrapped or written with leading zeros was not written here.
        var read = new ConsistencyToken(changes);
        if (read.ToString() != text) return false;
        token = read;
        return true;
    }

    public override string ToString()
    {
        var text = new StringBuilder(Format);
        foreach (var change in Changes)
        {
            text.Append(CultureInfo.InvariantCulture, $" {change.Resource}.{change.Id}.{change.Version}");
        }

        return Base64Url.EncodeToString(Encoding.UTF8.GetBytes(text.ToString()));
    }

    private static Change? ToChange(string[] fields) =>
        fields is [var resource, var id, var version]
        && Resource.Exists(resource)
        && int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var parsedId)
        && long.TryParse(version, NumberStyles.None, CultureInfo.InvariantCulture, out var parsedVersion)
            ? new Change(resource, parsedId, parsedVersion)
            : null;
}
