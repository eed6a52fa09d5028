using System.Diagnostics;
using System.Globalization;

namespace ApexShop.Load.Rebuilding;

/// <summary>One caller that reads pages of products after random ids, which are seldom cached.</summary>
internal sealed class ReadsMeanwhile(HttpClient queries, int lastId)
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(5);

    private readonly Random random = new(1);

    /// <summary>The milliseconds of each read until the work ends.</summary>
    public async Task<List<double>> UntilAsync(Task work, CancellationToken ct)
    {
        var times = new List<double>();
        while (!work.IsCompleted)
        {
            var began = Stopwatch.GetTimestamp();
            await queries.GetByteArrayAsync(Page(random.Next(lastId)), ct);
            times.Add(Stopwatch.GetElapsedTime(began).TotalMilliseconds);
            await Task.Delay(pause, ct);
        }

        await work;
        return times;
    }

    private static string Page(int after) =>
        string.Create(CultureInfo.InvariantCulture, $"/products/cursor?pageSize=20&afterId={after}");
}
