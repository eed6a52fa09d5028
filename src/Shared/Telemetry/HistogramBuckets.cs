using System.Diagnostics.Metrics;

namespace ApexShop.Telemetry;

/// <summary>The bounds of a histogram: those that its instrument advises, or such as fit its unit.</summary>
public static class HistogramBuckets
{
    /// <summary>From a millisecond to ten seconds: how long an answer or a statement takes.</summary>
    public static IReadOnlyList<double> Latencies { get; } = [.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10];

    /// <summary>From five milliseconds to an hour: how long a change is on its way, also through an outage.</summary>
    public static IReadOnlyList<double> Delays { get; } = [.005, .01, .015, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

    // From a tenth of a millisecond, in which an answer from memory is sent; the framework's own begin with five.
    private static readonly double[] requests = [.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10];

    private static readonly double[] numbers = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

    internal static double[] Of(Instrument instrument) => instrument switch
    {
        { Name: "http.server.request.duration" } => requests,
        Histogram<double> { Advice.HistogramBucketBoundaries: { } advised } => [.. advised],
        Histogram<float> { Advice.HistogramBucketBoundaries: { } advised } => [.. advised.Select(bound => (double)bound)],
        Histogram<long> { Advice.HistogramBucketBoundaries: { } advised } => [.. advised.Select(bound => (double)bound)],
        Histogram<int> { Advice.HistogramBucketBoundaries: { } advised } => [.. advised.Select(bound => (double)bound)],
        { Unit: "s" } => [.. Latencies],
        _ => numbers,
    };
}
