using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace ApexShop.Telemetry;

/// <summary>What an instrument is to Prometheus.</summary>
internal enum Kind
{
    Counter,
    UpDown,
    Gauge,
    Histogram,
}

/// <summary>One metric of the page: its two lines of description, and a series for each set of labels.</summary>
internal sealed class Family
{
    /// <summary>Sets of labels that are kept apart; what comes after them is recorded together.</summary>
    public const int MostSeries = 500;

    private const string Overflow = "otel_metric_overflow=\"true\"";

    private readonly ConcurrentDictionary<KeyValuePair<string, object?>[], Series> byTags = new(LabelSets.Comparer);
    private readonly ConcurrentDictionary<KeyValuePair<string, object?>[], Series>.AlternateLookup<ReadOnlySpan<KeyValuePair<string, object?>>> lookup;
    private readonly Dictionary<string, Series> byText = new(StringComparer.Ordinal);
    private readonly Lock gate = new();
    private readonly double[] bounds;
    private readonly byte[] name;
    private readonly byte[] head;
    private volatile Series[] all = [];

    public Family(string name, Instrument instrument, Kind kind)
    {
        (Text, Kind, IsAsked) = (name, kind, instrument.IsObservable);
        lookup = byTags.GetAlternateLookup<ReadOnlySpan<KeyValuePair<string, object?>>>();
        this.name = PrometheusText.Bytes(name);
        BucketName = PrometheusText.Bytes($"{name}_bucket");
        SumName = PrometheusText.Bytes($"{name}_sum");
        CountName = PrometheusText.Bytes($"{name}_count");
        bounds = kind == Kind.Histogram ? Buckets.Of(instrument) : [];
        Bounds = [.. bounds.Append(double.PositiveInfinity).Select(bound => PrometheusText.Bytes($"le=\"{PrometheusText.Number(bound)}\""))];
        var type = kind switch { Kind.Counter => "counter", Kind.Histogram => "histogram", _ => "gauge" };
        head = PrometheusText.Bytes($"# HELP {name} {PrometheusNames.Help(instrument.Description ?? instrument.Name)}\n# TYPE {name} {type}\n");
    }

    public string Text { get; }

    public Kind Kind { get; }

    /// <summary>Whether values are asked for when the page is written, and not recorded as they come.</summary>
    public bool IsAsked { get; }

    public ReadOnlySpan<byte> Name => name;

    public byte[] BucketName { get; }

    public byte[] SumName { get; }

    public byte[] CountName { get; }

    /// <summary>The label of each bucket.</summary>
    public byte[][] Bounds { get; }

    public void Record(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags, long round)
    {
        if (!lookup.TryGetValue(tags, out var series)) series = Make(tags);
        if (IsAsked) series.Round = round;
        series.Record(value);
    }

    public void Write(IBufferWriter<byte> page, long round)
    {
        page.Write(head);
        foreach (var series in all)
        {
            // What nobody told this time is gone: the last value is not the present one.
            if (!IsAsked || series.Round == round) series.Write(this, page);
        }
    }

    private Series Make(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var text = LabelSets.Text(tags);
        lock (gate)
        {
            // What is beyond is looked up each time, so that it takes no room here either.
            if (byText.Count >= MostSeries && !byText.ContainsKey(text)) return Kept(Overflow);
            var series = Kept(text);
            byTags.TryAdd(tags.ToArray(), series);
            return series;
        }
    }

    private Series Kept(string text)
    {
        if (byText.TryGetValue(text, out var series)) return series;
        byText.Add(text, series = Open(text));
        all = [.. all, series];
        return series;
    }

    private Series Open(string labels) => Kind switch
    {
        Kind.Histogram => new HistogramSeries(labels, bounds),
        Kind.Gauge => new LastSeries(labels),
        // An observable counter tells its whole sum each time.
        _ => IsAsked ? new LastSeries(labels) : new SumSeries(labels),
    };
}
