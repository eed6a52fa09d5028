using System.Buffers;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>The values of one set of labels. Any number of threads record while the page is written.</summary>
internal abstract class MetricSeries(string labels)
{
    protected ReadOnlyMemory<byte> Labels { get; } = PrometheusWriter.Bytes(labels);

    /// <summary>The page for which it was told last; of use where values are asked for and not recorded.</summary>
    public long Scrape { get; set; }

    public abstract void Record(double value);

    public abstract void Write(MetricFamily family, IBufferWriter<byte> page);

    protected static void Add(ref double sum, double value)
    {
        var seen = Volatile.Read(ref sum);
        while (true)
        {
            var before = Interlocked.CompareExchange(ref sum, seen + value, seen);
            // The same bits, so that a sum that is no number any more ends the loop too.
            if (BitConverter.DoubleToInt64Bits(before) == BitConverter.DoubleToInt64Bits(seen)) return;
            seen = before;
        }
    }
}

/// <summary>A counter, or a gauge that goes up and down by differences.</summary>
internal sealed class SumSeries(string labels) : MetricSeries(labels)
{
    private double sum;

    public override void Record(double value) => Add(ref sum, value);

    public override void Write(MetricFamily family, IBufferWriter<byte> page) =>
        PrometheusWriter.Sample(page, family.Name, Labels.Span, Volatile.Read(ref sum));
}

/// <summary>The last value that was told.</summary>
internal sealed class GaugeSeries(string labels) : MetricSeries(labels)
{
    private double last;

    public override void Record(double value) => Volatile.Write(ref last, value);

    public override void Write(MetricFamily family, IBufferWriter<byte> page) =>
        PrometheusWriter.Sample(page, family.Name, Labels.Span, Volatile.Read(ref last));
}

/// <summary>How many values were at most each bound.</summary>
internal sealed class HistogramSeries(string labels, double[] bounds) : MetricSeries(labels)
{
    private readonly long[] counts = new long[bounds.Length + 1];
    private double sum;

    public override void Record(double value)
    {
        // A bucket's own bound is in it. No number is in the last one.
        var index = 0;
        while (index < bounds.Length && !(value <= bounds[index])) index++;
        Interlocked.Increment(ref counts[index]);
        Add(ref sum, value);
    }

    // The count is that of the buckets just written: however many record meanwhile, the two never contradict each other.
    public override void Write(MetricFamily family, IBufferWriter<byte> page)
    {
        var total = Volatile.Read(ref sum);
        var count = 0L;
        for (var i = 0; i < counts.Length; i++)
        {
            count += Volatile.Read(ref counts[i]);
            PrometheusWriter.Sample(page, family.BucketName, Labels.Span, family.Bounds[i], count);
        }

        PrometheusWriter.Sample(page, family.SumName, Labels.Span, total);
        PrometheusWriter.Sample(page, family.CountName, Labels.Span, count);
    }
}
