using System.Diagnostics.CodeAnalysis;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>Finds a set of labels by the tags of a measurement, which lie on the stack of whoever measures.</summary>
internal sealed class LabelSetComparer
    : IEqualityComparer<KeyValuePair<string, object?>[]>,
    IAlternateEqualityComparer<ReadOnlySpan<KeyValuePair<string, object?>>, KeyValuePair<string, object?>[]>
{
    public static LabelSetComparer Comparer { get; } = new();

    /// <summary>The labels as they are written, by name: the order in which somebody gave them says nothing.</summary>
    public static string Text(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        if (tags.Length == 0) return "";
        var labels = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in tags) labels[PrometheusNames.Plain(name)] = PrometheusNames.Value(value);
        return string.Join(',', labels.Select(label => $"{label.Key}=\"{PrometheusNames.Label(label.Value)}\""));
    }

    public bool Equals(KeyValuePair<string, object?>[]? x, KeyValuePair<string, object?>[]? y) =>
        x is null || y is null ? ReferenceEquals(x, y) : Equals(x.AsSpan(), y);

    public int GetHashCode([DisallowNull] KeyValuePair<string, object?>[] obj) => GetHashCode(obj.AsSpan());

    public KeyValuePair<string, object?>[] Create(ReadOnlySpan<KeyValuePair<string, object?>> alternate) => alternate.ToArray();

    public bool Equals(ReadOnlySpan<KeyValuePair<string, object?>> alternate, KeyValuePair<string, object?>[] other)
    {
        if (alternate.Length != other.Length) return false;
        for (var i = 0; i < other.Length; i++)
        {
            if (alternate[i].Key != other[i].Key || !Equals(alternate[i].Value, other[i].Value)) return false;
        }

        return true;
    }

    // The names of an instrument's tags are always the same, so the values tell its sets apart.
    public int GetHashCode(ReadOnlySpan<KeyValuePair<string, object?>> alternate)
    {
        var hash = alternate.Length;
        foreach (var (_, value) in alternate) hash = HashCode.Combine(hash, value);
        return hash;
    }
}
