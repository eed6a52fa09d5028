using System.Diagnostics.Metrics;

namespace ApexShop.Telemetry.Instruments;

/// <summary>
/// The instruments that are exported: all of this shop, and a selection of the runtime, the server and the driver. The
/// selection is small because each instrument costs time in every request that it measures.
/// </summary>
internal static class InstrumentFilter
{
    public const string Prefix = "ApexShop.";

    private static readonly Dictionary<string, HashSet<string>> others = new(StringComparer.Ordinal)
    {
        ["System.Runtime"] =
        [
            "dotnet.gc.collections", "dotnet.gc.heap.total_allocated", "dotnet.gc.pause.time",
            "dotnet.gc.last_collection.memory.committed_size", "dotnet.process.cpu.time",
            "dotnet.process.memory.working_set",
            "dotnet.thread_pool.thread.count", "dotnet.thread_pool.queue.length", "dotnet.exceptions",
        ],
        ["Microsoft.AspNetCore.Hosting"] = ["http.server.request.duration"],
        ["Microsoft.AspNetCore.Server.Kestrel"] =
            ["kestrel.active_connections", "kestrel.queued_connections", "kestrel.rejected_connections"],
        ["Npgsql"] =
        [
            "db.client.connection.count", "db.client.connection.max",
            "db.client.connection.npgsql.pending_requests", "db.client.connection.npgsql.timeouts",
        ],
    };

    // Of the connection of a request: no alert needs them, and each multiplies the number of series.
    private static readonly HashSet<string> omitted =
        ["network.protocol.name", "network.protocol.version", "url.scheme"];

    // The runtime declares them as counters, but their values also decrease.
    private static readonly HashSet<string> gauges =
        ["dotnet.thread_pool.thread.count", "dotnet.thread_pool.queue.length"];

    /// <summary>The names of the exported meters that are not of this shop.</summary>
    public static IEnumerable<string> OtherMeters => others.Keys;

    public static bool IsExported(Instrument instrument) =>
        instrument.Meter.Name.StartsWith(Prefix, StringComparison.Ordinal)
        || (others.TryGetValue(instrument.Meter.Name, out var some) && some.Contains(instrument.Name));

    public static bool IsLabel(string tag) => !omitted.Contains(tag);

    /// <summary>The kind of the metric; null for an instrument that has no Prometheus type.</summary>
    public static MetricKind? KindOf(Instrument instrument)
    {
        if (gauges.Contains(instrument.Name)) return MetricKind.UpDown;
        if (!instrument.GetType().IsGenericType) return null;
        var type = instrument.GetType().GetGenericTypeDefinition();
        if (type == typeof(Counter<>) || type == typeof(ObservableCounter<>)) return MetricKind.Counter;
        if (type == typeof(UpDownCounter<>) || type == typeof(ObservableUpDownCounter<>)) return MetricKind.UpDown;
        if (type == typeof(Gauge<>) || type == typeof(ObservableGauge<>)) return MetricKind.Gauge;
        return type == typeof(Histogram<>) ? MetricKind.Histogram : null;
    }
}
