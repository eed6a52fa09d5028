namespace ApexShop.TestKit.Metrics;

/// <summary>One line of a page: a value under a name and labels.</summary>
public sealed record MetricSample(string Name, IReadOnlyDictionary<string, string> Labels, double Value)
{
    public string? this[string label] => Labels.GetValueOrDefault(label);

    /// <summary>Name and labels in one spelling, which no other line of the page may have.</summary>
    public string Key => Spelling(Labels);

    /// <summary>The same without the bound of a bucket: the series that the bucket belongs to.</summary>
    public string SeriesKey => Spelling(Labels.Where(label => label.Key != "le"));

    private string Spelling(IEnumerable<KeyValuePair<string, string>> labels) =>
        Name + string.Concat(
            labels.OrderBy(label => label.Key, StringComparer.Ordinal).Select(label => $"|{label.Key}={label.Value}"));
}

/// <summary>A metric as its two lines of description have it, and its samples.</summary>
public sealed record MetricFamily(string Name, string Type, string Help, List<MetricSample> Samples);
