using System.Buffers;
using System.Diagnostics.Metrics;
using System.Text;
using ApexShop.Telemetry;
using ApexShop.Telemetry.Prometheus;
using ApexShop.TestKit.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace ApexShop.Shared.Tests.Telemetry.Prometheus;

/// <summary>A metrics page with its own meters.</summary>
internal sealed class MeasuredPage : IDisposable
{
    private readonly ServiceProvider services = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly MetricsPage page;

    public MeasuredPage()
    {
        Meters = services.GetRequiredService<IMeterFactory>();
        page = new MetricsPage(Meters, NullLogger<MetricsPage>.Instance);
        Meter = Meters.Create("ApexShop.Test");
    }

    public IMeterFactory Meters { get; }

    public Meter Meter { get; }

    public string Text()
    {
        var bytes = new ArrayBufferWriter<byte>();
        page.Write(bytes);
        return Encoding.UTF8.GetString(bytes.WrittenSpan);
    }

    /// <summary>The number of bytes that writing the page to an existing buffer allocates.</summary>
    public long Allocated(ArrayBufferWriter<byte> bytes)
    {
        bytes.ResetWrittenCount();
        var before = GC.GetAllocatedBytesForCurrentThread();
        page.Write(bytes);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    public MetricsText Read() => MetricsText.Parse(Text());

    public void Dispose()
    {
        page.Dispose();
        services.Dispose();
    }
}
