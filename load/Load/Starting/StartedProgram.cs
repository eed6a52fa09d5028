using System.Diagnostics;
using ApexShop.Load.WriteSide;
using ApexShop.TestKit;

namespace ApexShop.Load.Starting;

/// <summary>
/// A process that is started from a folder again and again; <paramref name="paths"/> are requested one after the other,
/// each with the most that its time may be of the control's.
/// </summary>
internal sealed class StartedProgram(
    string name, ShopProcess process, string folder, params (string Path, double? Goal)[] paths)
{
    private readonly List<double>[] times = [.. paths.Select(_ => new List<double>())];
    private readonly List<double> processorTimes = [];

    public async Task RunAsync(bool isCounted, CancellationToken ct)
    {
        await process.KillAsync();
        process.RunFrom(folder);
        var started = Stopwatch.GetTimestamp();
        process.Start();
        for (var i = 0; i < paths.Length; i++)
        {
            var milliseconds = await FirstResponse.OfAsync(process.Url, paths[i].Path, started, ct);
            if (isCounted) times[i].Add(milliseconds);
        }

        if (isCounted) processorTimes.Add(process.ProcessorTime.TotalMilliseconds);
        await process.ReadyAsync();
    }

    public IEnumerable<Figure> Figures(IReadOnlyList<double> control)
    {
        foreach (var ((path, goal), series) in paths.Zip(times))
        {
            var ratios = series.Zip(control, (ours, bare) => ours / bare).ToList();
            var what = $"{name}, until {path} is answered";
            yield return Figure.OfRatio(
                $"{what}, against that app", ratios, goal is { } most ? $"at most {Figure.Number(most, "0.00")}" : "-",
                ratio => goal is null || ratio <= goal);
            yield return Figure.Of(what, "ms", "0", series);
        }

        yield return Figure.Of($"{name}, processor time until then", "ms", "0", processorTimes);
    }
}
