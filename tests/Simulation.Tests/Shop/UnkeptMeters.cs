using System.Diagnostics.Metrics;

namespace ApexShop.Simulation.Tests.Shop;

/// <summary>Meters whose instruments are not kept: a gauge would keep the process that created it.</summary>
internal sealed class UnkeptMeters : IMeterFactory
{
    public Meter Create(MeterOptions options)
    {
        var meter = new Meter(options);
        meter.Dispose();
        return meter;
    }

    public void Dispose()
    {
    }
}
