using System.Diagnostics.Metrics;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace ApexShop.Telemetry;

/// <summary>
/// Samples the values of gauges from a server at a fixed interval, independent of scrapes. After a failed attempt the
/// gauges are not exported: an old value would look like a current one.
/// </summary>
public abstract class GaugeSampler<T>(IOptions<TelemetryOptions> options, TimeProvider clock, ILogger logger)
    : BackgroundService
    where T : class
{
    private volatile T? last;

    /// <summary>The last sample; null when the last attempt failed.</summary>
    protected T? Last => last;

    protected abstract Task<T> SampleAsync(CancellationToken ct);

    /// <summary>A value of the last sample; none when the last attempt failed.</summary>
    protected IEnumerable<Measurement<TValue>> Of<TValue>(Func<T, TValue> value)
        where TValue : struct => last is { } sample ? [new(value(sample))] : [];

    /// <summary>Values of the last sample, each with its resource; none when the last attempt failed.</summary>
    protected IEnumerable<Measurement<TValue>> ByResource<TValue>(
        Func<T, IEnumerable<KeyValuePair<string, TValue>>> values)
        where TValue : struct =>
        from one in last is { } sample ? values(sample) : []
        select new Measurement<TValue>(one.Value, new KeyValuePair<string, object?>("resource", one.Key));

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(options.Value.SampleSeconds), clock);
        var failing = false;
        do
        {
            try
            {
                last = await SampleAsync(stoppingToken);
                failing = false;
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                last = null;
                if (!failing) logger.SampleFailed(GetType().Name, exception.GetType().Name);
                failing = true;
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }
}
