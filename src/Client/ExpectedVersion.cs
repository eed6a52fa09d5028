using System.Globalization;

namespace ApexShop.Client;

/// <summary>
/// The version that a command depends on (<c>If-Match</c>): a number, or the ETag of a document. Another current
/// version is a <see cref="ShopProblemException"/> 412 <c>version.mismatch</c>.
/// </summary>
public readonly record struct ExpectedVersion(string ETag)
{
    /// <summary>Never null: without the header the change would be made whatever the version is.</summary>
    public string ETag
    {
        get => field ?? throw new InvalidOperationException($"This {nameof(ExpectedVersion)} has no version.");
        init;
    } = ETag ?? throw new ArgumentNullException(nameof(ETag));

    public static implicit operator ExpectedVersion(long version) => FromInt64(version);

    public static implicit operator ExpectedVersion(string eTag) => new(eTag);

    public static ExpectedVersion FromInt64(long version) =>
        new(string.Create(CultureInfo.InvariantCulture, $"\"{version}\""));

    public static ExpectedVersion FromString(string eTag) => new(eTag);
}
