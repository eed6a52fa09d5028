using System.Diagnostics.Metrics;

namespace ApexShop.Telemetry;

/// <summary>
/// Which instruments are shown: all of this shop, and of the runtime, the server and the driver those that an operator
/// looks at. Each one more costs every request that it counts.
/// </summary>
internal static class InstrumentFilter
{
    public const string Ours = "ApexShop.";

    private static readonly Dictionary<string, HashSet<string>> others = new(StringComparer.Ordinal)
    {
        ["System.Runtime"] =
        [
            "dotnet.gc.collections", "dotnet.gc.heap.total_allocated", "dotnet.gc.last_collection.memory.committed_size",
            "dotnet.gc.pause.time", "dotnet.process.cpu.time", "dotnet.process.memory.working_set",
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

    // The runtime calls them counters, and they go down as well.
    private static readonly HashSet<string> gauges = ["dotnet.thread_pool.thread.count", "dotnet.thread_pool.queue.length"];

    /// <summary>The meters of the selection that are not this shop's.</summary>
    public static IEnumerable<string> OtherMeters => others.Keys;

    public static bool IsExported(Instrument instrument) =>
        instrument.Meter.Name.StartsWith(Ours, StringComparison.Ordinal)
        || (others.TryGetValue(instrument.Meter.Name, out var some) && some.Contains(instrument.Name));

    /// <summary>Null for a sort that has no form on the page.</summary>
    public static MetricKind? KindOf(Instrument instrument)
    {
        if (gauges.Contains(instrument.Name)) return MetricKind.UpDown;
        if (!instrument.GetType().IsGenericType) return null;
        var sort = instrument.GetType().GetGenericTypeDefinition();
        if (sort == typeof(Counter<>) || sort == typeof(ObservableCounter<>)) return MetricKind.Counter;
        if (sort == typeof(UpDownCounter<>) || sort == typeof(ObservableUpDownCounter<>)) return MetricKind.UpDown;
        if (sort == typeof(Gauge<>) || sort == typeof(ObservableGauge<>)) return MetricKind.Gauge;
        return sort == typeof(Histogram<>) ? MetricKind.Histogram : null;
    }
}
