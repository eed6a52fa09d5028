using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>Meter <c>ApexShop.Queries</c>: streams and exports that are being sent, and those that found no place.</summary>
internal sealed class StreamMetrics
{
    private readonly UpDownCounter<long> open;
    private readonly Counter<long> refused;

    public StreamMetrics(IMeterFactory meters)
    {
        var meter = meters.Create(CacheMetrics.MeterName);
        open = meter.CreateUpDownCounter<long>("apexshop.streams.open", "{stream}", "Streams and exports that are being sent.");
        refused = meter.CreateCounter<long>("apexshop.streams.refused", "{stream}", "Streams and exports for which there was no place.");
    }

    public Func<HttpContext, Task<Problem?>> Counted(Func<HttpContext, Task<Problem?>> handle) => async http =>
    {
        open.Add(1);
        try
        {
            return await handle(http);
        }
        finally
        {
            open.Add(-1);
        }
    };

    public void Refused() => refused.Add(1);
}
