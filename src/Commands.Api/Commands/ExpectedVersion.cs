using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace ApexShop.Commands.Api.Commands;

/// <summary>
/// The header If-Match: versions, of which one must be the current version. The ETag of a command's response ("17") and
/// that of a document ("17.x") name the same version; a tag without a version matches nothing. A weak tag counts as
/// well, because proxies that compress responses make tags weak, and the version in it is exact.
/// </summary>
internal sealed class ExpectedVersion
{
    private ExpectedVersion(IReadOnlyList<string> tags) => Tags = tags;

    /// <summary>Public, since it is a part of the command that belongs to an Idempotency-Key.</summary>
    public IReadOnlyList<string> Tags { get; }

    public static bool TryParse(
        string? header, IFormatProvider? provider, [NotNullWhen(true)] out ExpectedVersion? expected)
    {
        const StringSplitOptions options = StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries;
        // Without the header, null makes the parameter null.
        expected = header is null ? null : new ExpectedVersion(header.Split(',', options));
        return expected is not null;
    }

    public bool Allows(long current) => Tags.Contains("*") || Names(current);

    /// <summary>Whether the version itself is in the header; <c>*</c> names none.</summary>
    public bool Names(long current)
    {
        var version = current.ToString(CultureInfo.InvariantCulture);
        return Tags.Any(tag => VersionIn(tag) == version);
    }

    private static string VersionIn(string tag)
    {
        var opaque = (tag.StartsWith("W/", StringComparison.Ordinal) ? tag[2..] : tag).Trim('"');
        var dot = opaque.IndexOf('.', StringComparison.Ordinal);
        return dot < 0 ? opaque : opaque[..dot];
    }
}
