namespace ApexShop.Telemetry;

/// <summary>The kind of a metric.</summary>
internal enum MetricKind
{
    Counter,
    UpDown,
    Gauge,
    Histogram,
}
