using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace ApexShop.TestKit.Metrics;

/// <summary>
/// Reads a page in the text format of Prometheus (0.0.4) and checks it against the specification: a page that a
/// scraper would reject fails here. It shares no code with the writer of the page.
/// </summary>
public sealed partial class MetricsText
{
    private readonly Dictionary<string, MetricFamily> families = [];

    private MetricsText(string text)
    {
        if (!text.EndsWith('\n')) throw new FormatException("The last line has no end.");
        MetricFamily? current = null;
        foreach (var line in text[..^1].Split('\n'))
        {
            if (Help().Match(line) is { Success: true } help) current = Open(help);
            else if (Type().Match(line) is { Success: true } type) current = SetType(type, current);
            else Add(Sample(line), current);
        }

        foreach (var family in families.Values) Check(family);
    }

    public IReadOnlyCollection<MetricFamily> Families => families.Values;

    public IEnumerable<MetricSample> Samples => families.Values.SelectMany(family => family.Samples);

    public MetricFamily this[string name] => families[name];

    public static MetricsText Parse(string text) => new(text);

    /// <summary>
    /// The value of the only sample with this name and, if given, this label; null where there is none.
    /// </summary>
    public double? Value(string name, string? label = null, string? value = null) =>
        Samples.SingleOrDefault(sample => sample.Name == name && (label is null || sample[label] == value))?.Value;

    /// <summary>The sum of all samples with this name.</summary>
    public double Sum(string name) => Samples.Where(sample => sample.Name == name).Sum(sample => sample.Value);

    private MetricFamily Open(Match help)
    {
        var family = new MetricFamily(help.Groups["name"].Value, "", Unescaped(help.Groups["text"].Value), []);
        if (!families.TryAdd(family.Name, family)) throw new FormatException($"{family.Name} is there twice.");
        return family;
    }

    private MetricFamily SetType(Match type, MetricFamily? current)
    {
        var name = type.Groups["name"].Value;
        if (current?.Name != name || current.Type.Length > 0)
            throw new FormatException($"TYPE of {name} does not follow its HELP.");
        return families[name] = current with { Type = type.Groups["type"].Value };
    }

    private static void Add(MetricSample sample, MetricFamily? family)
    {
        string[] names = family switch
        {
            null => throw new FormatException($"{sample.Name} comes before any description."),
            { Type: "histogram" } => [$"{family.Name}_bucket", $"{family.Name}_sum", $"{family.Name}_count"],
            _ => [family.Name],
        };
        if (!names.Contains(sample.Name)) throw new FormatException($"{sample.Name} stands under {family.Name}.");
        if (family.Samples.Any(other => other.Key == sample.Key))
            throw new FormatException($"{sample.Key} is there twice.");
        family.Samples.Add(sample);
    }

    private static void Check(MetricFamily family)
    {
        if (family.Type == "counter" && !family.Name.EndsWith("_total", StringComparison.Ordinal))
            throw new FormatException($"{family.Name} is a counter.");
        if (family.Type == "counter" && family.Samples.Any(sample => sample.Value < 0))
            throw new FormatException($"{family.Name} went down.");
        if (family.Type != "histogram") return;
        foreach (var buckets in family.Samples.Where(
            sample => sample.Name.EndsWith("_bucket", StringComparison.Ordinal)).GroupBy(sample => sample.SeriesKey))
        {
            var bounds = buckets.Select(bucket => Number(bucket["le"]!)).ToList();
            var counts = buckets.Select(bucket => bucket.Value).ToList();
            if (!bounds.SequenceEqual(bounds.Distinct().Order()))
                throw new FormatException($"{family.Name}: bounds go up.");
            if (!counts.SequenceEqual(counts.Order()))
                throw new FormatException($"{family.Name}: buckets are cumulative.");
            if (!double.IsPositiveInfinity(bounds[^1])) throw new FormatException($"{family.Name} has no last bucket.");
            var count = family.Samples.Single(sample => sample.Name == $"{family.Name}_count"
                && sample.SeriesKey[sample.Name.Length..] == buckets.Key[$"{family.Name}_bucket".Length..]);
            if (count.Value != counts[^1])
                throw new FormatException($"{family.Name}: the count is that of the last bucket.");
        }
    }

    private static MetricSample Sample(string line)
    {
        var match = SampleLine().Match(line);
        if (!match.Success) throw new FormatException($"This is no line of a page: {line}");
        var labels = match.Groups["label"].Captures.Zip(match.Groups["value"].Captures)
            .ToDictionary(pair => pair.First.Value, pair => Unescaped(pair.Second.Value));
        return new(match.Groups["name"].Value, labels, Number(match.Groups["number"].Value));
    }

    private static double Number(string text) => text switch
    {
        "+Inf" => double.PositiveInfinity,
        "-Inf" => double.NegativeInfinity,
        _ => double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture),
    };

    private static string Unescaped(string text)
    {
        var plain = new StringBuilder();
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] != '\\') plain.Append(text[i]);
            else plain.Append(
                text[++i] switch
                {
                    'n' => '\n', '\\' => '\\', '"' => '"', _ => throw new FormatException($"No such escape: {text}"),
                });
        }

        return plain.ToString();
    }

    [GeneratedRegex("^# HELP (?<name>[a-zA-Z_:][a-zA-Z0-9_:]*) (?<text>.*)$")]
    private static partial Regex Help();

    [GeneratedRegex("^# TYPE (?<name>[a-zA-Z_:][a-zA-Z0-9_:]*) (?<type>counter|gauge|histogram|summary|untyped)$")]
    private static partial Regex Type();

    [GeneratedRegex(
        """^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)"""
        + """(\{((?<label>[a-zA-Z_][a-zA-Z0-9_]*)="(?<value>([^"\\]|\\["\\n])*)",?)+\})? """
        + """(?<number>NaN|[+-]Inf|-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)$""")]
    private static partial Regex SampleLine();
}
