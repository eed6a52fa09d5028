namespace ApexShop.Telemetry;

/// <summary>What an instrument is to Prometheus.</summary>
internal enum MetricKind
{
    Counter,
    UpDown,
    Gauge,
    Histogram,
}
