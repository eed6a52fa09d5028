using System.Diagnostics.CodeAnalysis;
using ApexShop.Telemetry.Instruments;
using Tag = System.Collections.Generic.KeyValuePair<string, object?>;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>Finds a label set by the tags of a measurement, which are on the stack, without an allocation.</summary>
internal sealed class LabelSetComparer
    : IEqualityComparer<Tag[]>,
    IAlternateEqualityComparer<ReadOnlySpan<Tag>, Tag[]>
{
    public static LabelSetComparer Instance { get; } = new();

    /// <summary>The labels as they are written, sorted by name, because the order of tags has no meaning.</summary>
    public static string Text(ReadOnlySpan<Tag> tags)
    {
        if (tags.Length == 0) return "";
        var labels = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in tags)
            if (InstrumentFilter.IsLabel(name)) labels[PrometheusNames.Plain(name)] = PrometheusNames.Value(value);
        return string.Join(',', labels.Select(label => $"{label.Key}=\"{PrometheusNames.Label(label.Value)}\""));
    }

    public bool Equals(Tag[]? x, Tag[]? y) =>
        x is null || y is null ? ReferenceEquals(x, y) : Equals(x.AsSpan(), y);

    public int GetHashCode([DisallowNull] Tag[] obj) => GetHashCode(obj.AsSpan());

    public Tag[] Create(ReadOnlySpan<Tag> alternate) => alternate.ToArray();

    public bool Equals(ReadOnlySpan<Tag> alternate, Tag[] other)
    {
        if (alternate.Length != other.Length) return false;
        for (var i = 0; i < other.Length; i++)
        {
            if (alternate[i].Key != other[i].Key || !Equals(alternate[i].Value, other[i].Value)) return false;
        }

        return true;
    }

    // An instrument always has the same tag names, so the hash of the values is sufficient.
    public int GetHashCode(ReadOnlySpan<Tag> alternate)
    {
        var hash = alternate.Length;
        foreach (var (_, value) in alternate) hash = HashCode.Combine(hash, value);
        return hash;
    }
}
