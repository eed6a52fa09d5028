using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.TestKit.Metrics;

/// <summary>The sum of what an instrument of one of the running programs measures, from now on.</summary>
public sealed class InstrumentSum : IDisposable
{
    private readonly MeterListener listener = new();
    private long value;

    public InstrumentSum(IServiceProvider services, string name)
    {
        // Other programs in this process have meters of the same name.
        var meters = services.GetRequiredService<IMeterFactory>();
        listener.InstrumentPublished = (instrument, listening) =>
        {
            if (instrument.Name == name && instrument.Meter.Scope == meters)
                listening.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((_, measured, _, _) => Interlocked.Add(ref value, measured));
        listener.Start();
    }

    public long Value => Interlocked.Read(ref value);

    public void Dispose() => listener.Dispose();
}
