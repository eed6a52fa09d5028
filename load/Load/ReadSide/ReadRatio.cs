using ApexShop.Load.WriteSide;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>Answers that Queries.Api reads each time, against pgbench with the same select.</summary>
internal sealed class ReadRatio(ShopProcess queries, Pgbench control, Paths paths)
{
    private const int WarmUps = 3;
    private const int Pairs = 7;
    private const double Seconds = 3;

    private readonly List<double> latencies = [];

    public async Task<IReadOnlyList<Figure>> MeasureAsync(string what, double goal, Pace pace, CancellationToken ct)
    {
        await pace.SayAsync($" {what}, read each time");
        var rounds =
            new Rounds(() => control.RateAsync(pace.Turn(Seconds), ct), () => RateAsync(pace.Turn(Seconds), ct));
        await rounds.TakeAsync(pace.WarmUps(WarmUps), pace.Rounds(Pairs), "a second", pace);
        return
        [
            Figure.OfRatio(
                $"{what} uncached, rate against pgbench's", rounds.Ratios,
                FormattableString.Invariant($"at least {goal:0.00}"), ratio => ratio >= goal),
            Figure.Of($"{what} uncached", "a second", "0", rounds.Ours),
            Figure.Of("pgbench, same select", "a second", "0", rounds.Control),
            Figure.Of(
                $"{what} uncached, p99 at {Wrk.Connections} connections", "ms", "0.0",
                [.. latencies.TakeLast(rounds.Ours.Count)]),
        ];
    }

    private async Task<double> RateAsync(TimeSpan turn, CancellationToken ct)
    {
        var load = await Wrk.RunAsync(paths, queries.Url, turn, ct);
        latencies.Add(load.P99Milliseconds);
        return load.Rate;
    }
}
