using System.Globalization;

namespace ApexShop.Load.Running;

/// <summary>
/// The counts since the previous point, one point a second. Latencies in milliseconds, null without a good response.
/// </summary>
internal sealed record SecondPoint(
    double Second, long Started, long Ok, long Failed, double? P50, double? P99, long InFlight, long Late)
{
    public override string ToString()
    {
        string Time(double? milliseconds) =>
            milliseconds is { } value ? value.ToString("0.0", CultureInfo.InvariantCulture) : "-";
        var text = string.Create(CultureInfo.InvariantCulture,
            $"{Second,6:0.0} s  {Ok,6} ok  {Failed,4} failed  p50 {Time(P50),7} ms  p99 {Time(P99),7} ms  "
            + $"{InFlight,4} in flight");
        return Late > 0 ? string.Create(CultureInfo.InvariantCulture, $"{text}  {Late} started late") : text;
    }
}

/// <summary>Divides a recording into points.</summary>
internal sealed class SecondSeries(Recording recording, Action<SecondPoint> progress)
{
    private readonly List<SecondPoint> points = [];
    private (long Started, long Ok, long Failed, long Late) before;

    public IReadOnlyList<SecondPoint> Points => points;

    public void Take()
    {
        var latencies = recording.TakeSecond();
        var (started, ok, failed) = (recording.Started, recording.Iterations.Ok, recording.Iterations.Failed);
        var late = recording.Pacing.Lateness.CountAbove(Pacing.Late);
        // The last point is very short if nothing was in flight at its tick.
        if (points.Count > 0
            && (started, ok, failed, late) == before
            && recording.Elapsed.TotalSeconds - points[^1].Second < 0.5)
            return;
        double? At(double share) => latencies.Count > 0 ? latencies.Quantile(share).TotalMilliseconds : null;
        var point = new SecondPoint(
            Math.Round(recording.Elapsed.TotalSeconds, 1), started - before.Started, ok - before.Ok,
            failed - before.Failed,
            At(0.5), At(0.99), recording.InFlight, late - before.Late);
        before = (started, ok, failed, late);
        points.Add(point);
        progress(point);
    }
}
