using System.Buffers;
using System.Diagnostics.Metrics;
using System.Text;
using ApexShop.Telemetry;
using ApexShop.Telemetry.Prometheus;
using Microsoft.Extensions.Logging.Abstractions;

namespace ApexShop.TestKit.Metrics;

/// <summary>The page of metrics over meters that run without a whole process around them.</summary>
public sealed class Metered(IMeterFactory meters) : IDisposable
{
    private readonly MetricsPage page = new(meters, NullLogger<MetricsPage>.Instance);

    public MetricsText Read()
    {
        var bytes = new ArrayBufferWriter<byte>();
        page.Write(bytes);
        return MetricsText.Parse(Encoding.UTF8.GetString(bytes.WrittenSpan));
    }

    public void Dispose() => page.Dispose();
}
