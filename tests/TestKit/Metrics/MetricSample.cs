namespace ApexShop.TestKit.Metrics;

/// <summary>One line of a metrics page: a name, labels and a value.</summary>
public sealed record MetricSample(string Name, IReadOnlyDictionary<string, string> Labels, double Value)
{
    public string? this[string label] => Labels.GetValueOrDefault(label);

    /// <summary>Name and labels in canonical order; they must be unique in the page.</summary>
    public string Key => Spelling(Labels);

    /// <summary>The same without the bound of a bucket: the bucket's series.</summary>
    public string SeriesKey => Spelling(Labels.Where(label => label.Key != "le"));

    private string Spelling(IEnumerable<KeyValuePair<string, string>> labels) =>
        Name + string.Concat(
            labels.OrderBy(label => label.Key, StringComparer.Ordinal).Select(label => $"|{label.Key}={label.Value}"));
}

/// <summary>A metric with its HELP and TYPE lines and its samples.</summary>
public sealed record MetricFamily(string Name, string Type, string Help, List<MetricSample> Samples);
