namespace ApexShop.Telemetry.Instruments;

/// <summary>The kind of a metric.</summary>
internal enum MetricKind
{
    Counter,
    UpDown,
    Gauge,
    Histogram,
}
