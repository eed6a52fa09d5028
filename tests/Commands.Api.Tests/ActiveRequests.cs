using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests;

/// <summary>The number of active requests of one of the running APIs.</summary>
internal sealed class ActiveRequests : IDisposable
{
    private readonly MeterListener listener = new();
    private long count;

    public ActiveRequests(IServiceProvider services)
    {
        var meters = services.GetRequiredService<IMeterFactory>();
        listener.InstrumentPublished = (instrument, listening) =>
        {
            if (instrument.Name == "http.server.active_requests" && instrument.Meter.Scope == meters)
                listening.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((_, change, _, _) => Interlocked.Add(ref count, change));
        listener.Start();
    }

    public long Count => Interlocked.Read(ref count);

    public void Dispose() => listener.Dispose();
}
