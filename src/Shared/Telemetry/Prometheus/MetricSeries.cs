using System.Buffers;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>The values of one set of labels. Threads may record values while the page is written.</summary>
internal abstract class MetricSeries(string labels)
{
    protected ReadOnlyMemory<byte> Labels { get; } = PrometheusWriter.Bytes(labels);

    /// <summary>The number of the last scrape that read a value; used by observable instruments only.</summary>
    public long Scrape { get; private set; }

    /// <summary>Called before each value of an observable instrument.</summary>
    public void Begin(long scrape)
    {
        if (Scrape != scrape) Clear();
        Scrape = scrape;
    }

    public abstract void Record(double value);

    public abstract void Write(MetricFamily family, IBufferWriter<byte> page);

    protected virtual void Clear()
    {
    }

    protected static void Add(ref double sum, double value)
    {
        var seen = Volatile.Read(ref sum);
        while (true)
        {
            var before = Interlocked.CompareExchange(ref sum, seen + value, seen);
            // Compared by bits, because NaN is not equal to itself.
            if (BitConverter.DoubleToInt64Bits(before) == BitConverter.DoubleToInt64Bits(seen)) return;
            seen = before;
        }
    }
}

/// <summary>
/// Adds what is recorded. A counter adds all differences. An observable instrument begins at 0 with each scrape and
/// adds the totals that this scrape reads: Npgsql has a pool for each server of a connection string, and all of them
/// report the same labels.
/// </summary>
internal sealed class SumSeries(string labels) : MetricSeries(labels)
{
    private double sum;

    public override void Record(double value) => Add(ref sum, value);

    public override void Write(MetricFamily family, IBufferWriter<byte> page) =>
        PrometheusWriter.Sample(page, family.SampleName, Labels.Span, Volatile.Read(ref sum));

    protected override void Clear() => Volatile.Write(ref sum, 0);
}

/// <summary>The last recorded value.</summary>
internal sealed class GaugeSeries(string labels) : MetricSeries(labels)
{
    private double last;

    public override void Record(double value) => Volatile.Write(ref last, value);

    public override void Write(MetricFamily family, IBufferWriter<byte> page) =>
        PrometheusWriter.Sample(page, family.SampleName, Labels.Span, Volatile.Read(ref last));
}

/// <summary>The cumulative counts of a histogram.</summary>
internal sealed class HistogramSeries(string labels, double[] bounds) : MetricSeries(labels)
{
    private readonly long[] counts = new long[bounds.Length + 1];
    private double sum;

    public override void Record(double value)
    {
        // The bound belongs to its bucket. NaN belongs to the last bucket.
        var index = 0;
        while (index < bounds.Length && !(value <= bounds[index])) index++;
        Interlocked.Increment(ref counts[index]);
        Add(ref sum, value);
    }

    // The count is the sum of the buckets just written, so both agree also while other threads record values.
    public override void Write(MetricFamily family, IBufferWriter<byte> page)
    {
        var total = Volatile.Read(ref sum);
        var count = 0L;
        for (var i = 0; i < counts.Length; i++)
        {
            count += Volatile.Read(ref counts[i]);
            PrometheusWriter.Sample(page, family.BucketName, Labels.Span, family.BoundLabels[i], count);
        }

        PrometheusWriter.Sample(page, family.SumName, Labels.Span, total);
        PrometheusWriter.Sample(page, family.CountName, Labels.Span, count);
    }
}
