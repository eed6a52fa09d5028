using System.Diagnostics.Metrics;
using ApexShop.Queries.Api.Telemetry;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>Streams and exports that are being sent, and what was rejected.</summary>
internal sealed class StreamMetrics
{
    private readonly UpDownCounter<long> open;
    private readonly Counter<long> refused;

    public StreamMetrics(IMeterFactory meters)
    {
        var meter = meters.Create(QueriesMeter.Name);
        open = meter.CreateUpDownCounter<long>(
            "apexshop.streams.open", "{stream}", "Streams and exports that are being sent.");
        refused = meter.CreateCounter<long>(
            "apexshop.streams.refused", "{stream}",
            "Streams, exports and long responses that were rejected: too many were open.");
    }

    /// <summary>Counts a stream as open until it is disposed of.</summary>
    public OpenStream Open() => new(open);

    public void Refused() => refused.Add(1);

    public readonly struct OpenStream : IDisposable
    {
        private readonly UpDownCounter<long> counter;

        public OpenStream(UpDownCounter<long> counter)
        {
            this.counter = counter;
            counter.Add(1);
        }

        public void Dispose() => counter.Add(-1);
    }
}
