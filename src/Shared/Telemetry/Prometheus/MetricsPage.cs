using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using ApexShop.Telemetry.Instruments;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>
/// The metrics of this process in the text format of Prometheus. A measurement finds its series by the tags, without an
/// allocation, and is added without a lock. Writing the page reads the observable instruments.
/// </summary>
public sealed class MetricsPage : IDisposable
{
    /// <summary>The path of the page.</summary>
    public const string Path = "/metrics";

    private readonly ConcurrentDictionary<string, MetricFamily> families = new(StringComparer.Ordinal);
    private readonly MeterListener listener = new();
    private readonly Lock writing = new();
    private readonly IMeterFactory meters;
    private readonly ILogger<MetricsPage> logger;
    private long scrape;

    public MetricsPage(IMeterFactory meters, ILogger<MetricsPage> logger)
    {
        (this.meters, this.logger) = (meters, logger);
        listener.InstrumentPublished = Subscribe;
        listener.SetMeasurementEventCallback<double>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<float>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<decimal>((_, value, tags, family) => Record((double)value, tags, family));
        listener.SetMeasurementEventCallback<long>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<int>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<short>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<byte>((_, value, tags, family) => Record(value, tags, family));
        listener.Start();
    }

    /// <summary>Sends the page.</summary>
    public async Task SendAsync(HttpContext http)
    {
        http.Response.ContentType = PrometheusWriter.ContentType;
        http.Response.Headers.CacheControl = "no-store";
        if (HttpMethods.IsHead(http.Request.Method)) return;
        Write(http.Response.BodyWriter);
        await http.Response.BodyWriter.FlushAsync(http.RequestAborted);
    }

    public void Dispose() => listener.Dispose();

    internal void Write(IBufferWriter<byte> page)
    {
        // One page at a time, because the value of a gauge belongs to the scrape that read it.
        lock (writing)
        {
            scrape++;
            ReadGauges();
            foreach (var family in families.Values.OrderBy(family => family.Name, StringComparer.Ordinal))
                family.Write(page, scrape);
        }
    }

    private void ReadGauges()
    {
        try
        {
            listener.RecordObservableInstruments();
        }
        catch (AggregateException failures)
        {
            // The other instruments have been read nevertheless.
            logger.GaugeFailed(failures.InnerExceptions[0].GetType().Name);
        }
    }

    private void Subscribe(Instrument instrument, MeterListener listening)
    {
        // In a process with several hosts each host exports its own meters, and the meters without a host.
        if (instrument.Meter.Scope is { } scope && !ReferenceEquals(scope, meters)) return;
        if (!InstrumentFilter.IsExported(instrument) || InstrumentFilter.KindOf(instrument) is not { } kind) return;
        var name = PrometheusNames.Metric(instrument.Name, instrument.Unit, kind == MetricKind.Counter);
        var family = families.GetOrAdd(
            name, static (name, from) => new MetricFamily(name, from.instrument, from.kind), (instrument, kind));
        // A name may have only one type on the page, so a second instrument of another kind is ignored.
        if (family.Kind == kind && family.IsObservable == instrument.IsObservable)
            listening.EnableMeasurementEvents(instrument, family);
    }

    private void Record(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? family) =>
        ((MetricFamily)family!).Record(value, tags, scrape);
}
