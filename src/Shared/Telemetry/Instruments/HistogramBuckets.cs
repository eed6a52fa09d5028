using System.Diagnostics.Metrics;
using System.Numerics;

namespace ApexShop.Telemetry.Instruments;

/// <summary>The bucket bounds of a histogram: those that its instrument advises, or defaults by its unit.</summary>
public static class HistogramBuckets
{
    /// <summary>Durations of requests and statements: 1 ms to 10 s.</summary>
    public static IReadOnlyList<double> Latencies { get; } =
        [.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10];

    /// <summary>Delays until a change is visible, outages included: 5 ms to 1 h.</summary>
    public static IReadOnlyList<double> Delays { get; } =
        [.005, .01, .015, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

    // Responses from memory take 0.1 ms; the framework's default buckets start with 5 ms.
    private static readonly double[] requests =
        [.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10];

    private static readonly double[] counts =
        [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

    internal static double[] Of(Instrument instrument) => instrument switch
    {
        { Name: "http.server.request.duration" } => requests,
        Histogram<double> { Advice.HistogramBucketBoundaries: { } advised } => [.. advised],
        Histogram<float> { Advice.HistogramBucketBoundaries: { } advised } => ToDouble(advised),
        Histogram<long> { Advice.HistogramBucketBoundaries: { } advised } => ToDouble(advised),
        Histogram<int> { Advice.HistogramBucketBoundaries: { } advised } => ToDouble(advised),
        { Unit: "s" } => [.. Latencies],
        _ => counts,
    };

    private static double[] ToDouble<T>(IEnumerable<T> bounds)
        where T : INumber<T> => [.. bounds.Select(double.CreateChecked)];
}
