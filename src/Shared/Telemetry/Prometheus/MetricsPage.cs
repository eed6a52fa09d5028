using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Telemetry.Prometheus;

/// <summary>
/// What the meters of this process have counted since its start, in the text format of Prometheus. Recording finds the
/// series by the tags as they lie on the caller's stack and adds to it without a lock; the page asks the gauges and
/// copies what is there.
/// </summary>
public sealed class MetricsPage : IDisposable
{
    /// <summary>Where it is served.</summary>
    public const string Path = "/metrics";

    /// <summary>The media type of the text.</summary>
    public const string ContentType = PrometheusWriter.ContentType;

    private readonly ConcurrentDictionary<string, MetricFamily> families = new(StringComparer.Ordinal);
    private readonly MeterListener listener = new();
    private readonly Lock writing = new();
    private readonly IMeterFactory meters;
    private readonly ILogger<MetricsPage> logger;
    private long scrape;

    public MetricsPage(IMeterFactory meters, ILogger<MetricsPage> logger)
    {
        (this.meters, this.logger) = (meters, logger);
        listener.InstrumentPublished = Follow;
        listener.SetMeasurementEventCallback<double>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<float>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<decimal>((_, value, tags, family) => Record((double)value, tags, family));
        listener.SetMeasurementEventCallback<long>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<int>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<short>((_, value, tags, family) => Record(value, tags, family));
        listener.SetMeasurementEventCallback<byte>((_, value, tags, family) => Record(value, tags, family));
        listener.Start();
    }

    /// <summary>Answers with the page.</summary>
    public async Task AnswerAsync(HttpContext http)
    {
        http.Response.ContentType = ContentType;
        http.Response.Headers.CacheControl = "no-store";
        if (HttpMethods.IsHead(http.Request.Method)) return;
        Write(http.Response.BodyWriter);
        await http.Response.BodyWriter.FlushAsync(http.RequestAborted);
    }

    public void Dispose() => listener.Dispose();

    internal void Write(IBufferWriter<byte> page)
    {
        // One at a time: what a gauge tells belongs to the page that asked it.
        lock (writing)
        {
            scrape++;
            Ask();
            foreach (var family in families.Values.OrderBy(family => family.Text, StringComparer.Ordinal)) family.Write(page, scrape);
        }
    }

    private void Ask()
    {
        try
        {
            listener.RecordObservableInstruments();
        }
        catch (AggregateException failures)
        {
            // All others have been asked all the same.
            logger.GaugeFailed(failures.InnerExceptions[0].GetType().Name);
        }
    }

    private void Follow(Instrument instrument, MeterListener listening)
    {
        // In a process with several hosts each shows its own meters, and all those that belong to none.
        if (instrument.Meter.Scope is { } scope && !ReferenceEquals(scope, meters)) return;
        if (!InstrumentFilter.IsExported(instrument) || InstrumentFilter.KindOf(instrument) is not { } kind) return;
        var name = PrometheusNames.Metric(instrument.Name, instrument.Unit, kind == MetricKind.Counter);
        var family = families.GetOrAdd(name, static (name, made) => new MetricFamily(name, made.instrument, made.kind), (instrument, kind));
        // A second one of this name that is of another sort would make the page unreadable.
        if (family.Kind == kind && family.IsObservable == instrument.IsObservable) listening.EnableMeasurementEvents(instrument, family);
    }

    private void Record(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? family) =>
        ((MetricFamily)family!).Record(value, tags, scrape);
}
