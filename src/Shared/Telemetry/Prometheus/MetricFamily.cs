using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using ApexShop.Telemetry.Instruments;
using Tag = System.Collections.Generic.KeyValuePair<string, object?>;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>One metric of the page: its HELP and TYPE lines, and a series for each set of labels.</summary>
internal sealed class MetricFamily
{
    /// <summary>
    /// The maximum number of label sets; further ones are recorded in an overflow series, one for each HTTP status.
    /// </summary>
    public const int MaxSeries = 500;

    private const string Overflow = "otel_metric_overflow=\"true\"";
    private const string Status = "http.response.status_code";

    private readonly ConcurrentDictionary<Tag[], MetricSeries> byTags = new(LabelSetComparer.Instance);
    private readonly ConcurrentDictionary<Tag[], MetricSeries>.AlternateLookup<ReadOnlySpan<Tag>> lookup;
    private readonly Dictionary<string, MetricSeries> byText = new(StringComparer.Ordinal);
    private readonly Lock gate = new();
    private readonly double[] bounds;
    private readonly byte[] head;
    private volatile MetricSeries[] all = [];

    public MetricFamily(string name, Instrument instrument, MetricKind kind)
    {
        (Name, Kind, IsObservable) = (name, kind, instrument.IsObservable);
        lookup = byTags.GetAlternateLookup<ReadOnlySpan<Tag>>();
        SampleName = PrometheusWriter.Bytes(name);
        BucketName = PrometheusWriter.Bytes($"{name}_bucket");
        SumName = PrometheusWriter.Bytes($"{name}_sum");
        CountName = PrometheusWriter.Bytes($"{name}_count");
        bounds = kind == MetricKind.Histogram ? HistogramBuckets.Of(instrument) : [];
        BoundLabels = [.. bounds.Append(double.PositiveInfinity).Select(BoundLabel)];
        var type = kind switch { MetricKind.Counter => "counter", MetricKind.Histogram => "histogram", _ => "gauge" };
        var help = PrometheusNames.Help(instrument.Description ?? instrument.Name);
        head = PrometheusWriter.Bytes($"# HELP {name} {help}\n# TYPE {name} {type}\n");
    }

    public string Name { get; }

    public MetricKind Kind { get; }

    /// <summary>Whether the values are read when the page is written, and not recorded.</summary>
    public bool IsObservable { get; }

    /// <summary>The names of the samples in UTF-8.</summary>
    public byte[] SampleName { get; }

    public byte[] BucketName { get; }

    public byte[] SumName { get; }

    public byte[] CountName { get; }

    /// <summary>The label <c>le</c> of each bucket.</summary>
    public byte[][] BoundLabels { get; }

    public void Record(double value, ReadOnlySpan<Tag> tags, long scrape)
    {
        if (!lookup.TryGetValue(tags, out var series)) series = Add(tags);
        if (IsObservable) series.Begin(scrape);
        series.Record(value);
    }

    public void Write(IBufferWriter<byte> page, long scrape)
    {
        page.Write(head);
        foreach (var series in all)
        {
            // An observable instrument may stop reporting a label set; then its last value is not current.
            if (!IsObservable || series.Scrape == scrape) series.Write(this, page);
        }
    }

    private MetricSeries Add(ReadOnlySpan<Tag> tags)
    {
        var text = LabelSetComparer.Text(tags);
        lock (gate)
        {
            // Tags beyond the limit are not added to the lookup, so that it stays small too.
            if (byText.Count >= MaxSeries && !byText.ContainsKey(text)) return GetOrAdd(OverflowOf(tags));
            var series = GetOrAdd(text);
            byTags.TryAdd(tags.ToArray(), series);
            return series;
        }
    }

    // Alerts count the statuses; there are few.
    private static string OverflowOf(ReadOnlySpan<Tag> tags)
    {
        foreach (var tag in tags)
            if (tag.Key == Status) return $"{LabelSetComparer.Text([tag])},{Overflow}";
        return Overflow;
    }

    private MetricSeries GetOrAdd(string labels)
    {
        if (byText.TryGetValue(labels, out var series)) return series;
        byText.Add(labels, series = Create(labels));
        all = [.. all, series];
        return series;
    }

    private MetricSeries Create(string labels) => Kind switch
    {
        MetricKind.Histogram => new HistogramSeries(labels, bounds),
        MetricKind.Gauge => new GaugeSeries(labels),
        _ => new SumSeries(labels),
    };

    private static byte[] BoundLabel(double bound) =>
        PrometheusWriter.Bytes($"le=\"{PrometheusWriter.Number(bound)}\"");
}
