using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using ApexShop.Resources;

namespace ApexShop.Consistency;

/// <summary>
/// The changes of a command that a query must include: for each resource that the command changed, the aggregate of the
/// last event and its version. The events of a resource are applied in order, so documents that include this version
/// include the whole command. The token is opaque to clients. A command that changed nothing has a token without
/// changes.
/// </summary>
public sealed record ConsistencyToken(IReadOnlyList<ConsistencyToken.Change> Changes)
{
    /// <summary>The header in the response of a command and in the request of a query.</summary>
    public const string Header = "Consistency-Token";

    // The length of a token that contains every resource with the largest numbers.
    private const int MaxLength = 400;
    private const string Format = "1";

    /// <summary>A version of an aggregate; it may be the version of its deletion.</summary>
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
            if (ToChange(part.Split('.')) is not { } change) return false;
            if (changes.Exists(earlier => earlier.Resource == change.Resource)) return false;
            changes.Add(change);
        }

        // Padding, line breaks and leading zeros are not valid: a token has exactly one text.
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
