using ApexShop.Load.WriteSide;
using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>Uncached responses of Queries.Api, against pgbench with the same SELECT.</summary>
internal sealed class ReadRatio(ShopProcess queries, Pgbench control, Paths paths)
{
    private const int WarmUps = 3;
    private const int Pairs = 7;
    private const double Seconds = 3;

    private readonly List<double> latencies = [];

    public async Task<IReadOnlyList<Figure>> MeasureAsync(
        string what, double goal, BenchOptions options, CancellationToken ct)
    {
        await options.ReportAsync($" {what}, read each time");
        var rounds =
            new Rounds(() => control.RateAsync(options.Turn(Seconds), ct), () => RateAsync(options.Turn(Seconds), ct));
        await rounds.TakeAsync(options.WarmUps(WarmUps), options.Rounds(Pairs), "a second", options);
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
