using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Json;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// The memory of the command process while 64 callers create, replace and delete products for a minute: flat when the
/// last quarter is at most a tenth above the second; the first quarter is the warm-up. The heap is measured once in
/// each quarter, after a full collection; nothing else forces one.
/// </summary>
internal static class MemoryOverTime
{
    private const int Connections = 64;
    private const double Goal = 1.1;
    private const double Megabyte = 1024 * 1024;
    private const int Quarters = 4;

    private static readonly TimeSpan warmUp = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan duration = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(500);

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(Connections);
        var category = await Bodies.CreateCategoryAsync(client, ct);
        var (body, change) = (Bodies.Json(Bodies.Product(category)), Bodies.Json(Bodies.Replacement(category)));
        await ClosedLoop.RateAsync(Connections, warmUp, token => LifeAsync(client, body, change, token), ct);
        var load = ClosedLoop.RateAsync(Connections, duration, token => LifeAsync(client, body, change, token), ct);
        var samples = await SampleAsync(shop, load, progress, ct);
        var rate = await load * 3;
        double[] resident = [.. samples.Select(sample => sample.Resident / Megabyte)];
        double[] heap = [.. samples.Select(sample => sample.Heap).OfType<long>().Select(bytes => bytes / Megabyte)];
        return
        [
            Figure.OfRatio(Compared("resident memory"), [Ratio(resident)], "at most 1.10", ratio => ratio <= Goal),
            // A single value of each quarter differs from the next one by more than a tenth, up or down.
            Figure.OfRatio(Compared("heap after a full collection"), [Ratio(heap)]),
            Growth("resident memory", resident),
            Growth("heap", heap),
            Figure.Of($"commands under {Connections} connections", "a second", "0", [rate]),
        ];
    }

    private static async Task<List<Host.Memory>> SampleAsync(
        BenchShop shop, Task load, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(1);
        var (samples, heaps, began) = (new List<Host.Memory>(), 0, Stopwatch.GetTimestamp());
        using var timer = new PeriodicTimer(interval);
        while (!load.IsCompleted && await timer.WaitForNextTickAsync(ct))
        {
            var elapsed = Stopwatch.GetElapsedTime(began);
            // In the middle of a quarter: the load may end before the end of the last one.
            var isDue = heaps < Quarters && elapsed >= duration * (heaps + 0.5) / Quarters;
            var sample = (await client.GetFromJsonAsync<Host.Memory>($"{Host.MemoryPath}?collect={isDue}", ct))!;
            samples.Add(sample);
            if (sample.Heap is not { } heap) continue;
            heaps++;
            await progress.WriteLineAsync(string.Create(
                CultureInfo.InvariantCulture,
                $"  {elapsed.TotalSeconds:0} s: resident {sample.Resident / Megabyte:0} MB, "
                + $"heap {heap / Megabyte:0} MB"));
        }

        return samples;
    }

    private static string Compared(string what) =>
        $"{what} under {Connections} connections, last quarter of a minute against the second";

    private static double Ratio(double[] megabytes)
    {
        var quarters = Statistics.QuarterMedians(megabytes);
        return quarters[3] / quarters[1];
    }

    private static Figure Growth(string what, double[] megabytes)
    {
        // A sample takes longer than the interval while the machine is busy.
        var slope = Statistics.Slope(megabytes) * megabytes.Length * TimeSpan.FromMinutes(1).Divide(duration);
        return Figure.Of(
            $"{what}, growing by {Figure.Number(slope, "+0.0;-0.0;0.0")} MB a minute", "MB", "0", megabytes);
    }

    private static async Task LifeAsync(HttpClient client, byte[] body, byte[] change, CancellationToken ct)
    {
        var id = await Bodies.CreateAsync(client, body, ct);
        using var replaced = await client.PutAsync($"/products/{id}", Bodies.Content(change), ct);
        replaced.EnsureSuccessStatusCode();
        using var deleted = await client.DeleteAsync($"/products/{id}", ct);
        deleted.EnsureSuccessStatusCode();
    }
}
