using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>One metric of the page: its two lines of description, and a series for each set of labels.</summary>
internal sealed class MetricFamily
{
    /// <summary>Sets of labels that are kept apart; what comes after them is recorded together.</summary>
    public const int MostSeries = 500;

    private const string Overflow = "otel_metric_overflow=\"true\"";

    private readonly ConcurrentDictionary<KeyValuePair<string, object?>[], MetricSeries> byTags = new(LabelSetComparer.Comparer);
    private readonly ConcurrentDictionary<KeyValuePair<string, object?>[], MetricSeries>.AlternateLookup<ReadOnlySpan<KeyValuePair<string, object?>>> lookup;
    private readonly Dictionary<string, MetricSeries> byText = new(StringComparer.Ordinal);
    private readonly Lock gate = new();
    private readonly double[] bounds;
    private readonly byte[] name;
    private readonly byte[] head;
    private volatile MetricSeries[] all = [];

    public MetricFamily(string name, Instrument instrument, MetricKind kind)
    {
        (Text, Kind, IsObservable) = (name, kind, instrument.IsObservable);
        lookup = byTags.GetAlternateLookup<ReadOnlySpan<KeyValuePair<string, object?>>>();
        this.name = PrometheusWriter.Bytes(name);
        BucketName = PrometheusWriter.Bytes($"{name}_bucket");
        SumName = PrometheusWriter.Bytes($"{name}_sum");
        CountName = PrometheusWriter.Bytes($"{name}_count");
        bounds = kind == MetricKind.Histogram ? HistogramBuckets.Of(instrument) : [];
        Bounds = [.. bounds.Append(double.PositiveInfinity).Select(bound => PrometheusWriter.Bytes($"le=\"{PrometheusWriter.Number(bound)}\""))];
        var type = kind switch { MetricKind.Counter => "counter", MetricKind.Histogram => "histogram", _ => "gauge" };
        head = PrometheusWriter.Bytes($"# HELP {name} {PrometheusNames.Help(instrument.Description ?? instrument.Name)}\n# TYPE {name} {type}\n");
    }

    public string Text { get; }

    public MetricKind Kind { get; }

    /// <summary>Whether values are asked for when the page is written, and not recorded as they come.</summary>
    public bool IsObservable { get; }

    public ReadOnlySpan<byte> Name => name;

    public byte[] BucketName { get; }

    public byte[] SumName { get; }

    public byte[] CountName { get; }

    /// <summary>The label of each bucket.</summary>
    public byte[][] Bounds { get; }

    public void Record(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags, long scrape)
    {
        if (!lookup.TryGetValue(tags, out var series)) series = Make(tags);
        if (IsObservable) series.Scrape = scrape;
        series.Record(value);
    }

    public void Write(IBufferWriter<byte> page, long scrape)
    {
        page.Write(head);
        foreach (var series in all)
        {
            // What nobody told this time is gone: the last value is not the present one.
            if (!IsObservable || series.Scrape == scrape) series.Write(this, page);
        }
    }

    private MetricSeries Make(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var text = LabelSetComparer.Text(tags);
        lock (gate)
        {
            // What is beyond is looked up each time, so that it takes no room here either.
            if (byText.Count >= MostSeries && !byText.ContainsKey(text)) return Kept(Overflow);
            var series = Kept(text);
            byTags.TryAdd(tags.ToArray(), series);
            return series;
        }
    }

    private MetricSeries Kept(string text)
    {
        if (byText.TryGetValue(text, out var series)) return series;
        byText.Add(text, series = Open(text));
        all = [.. all, series];
        return series;
    }

    private MetricSeries Open(string labels) => Kind switch
    {
        MetricKind.Histogram => new HistogramSeries(labels, bounds),
        MetricKind.Gauge => new GaugeSeries(labels),
        // An observable counter tells its whole sum each time.
        _ => IsObservable ? new GaugeSeries(labels) : new SumSeries(labels),
    };
}
