using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Synthetic;

/// <summary>
/// A history without a violation of any length, to measure the checks: stock movements, replacements, orders and reads
/// of a shop that never fails.
/// </summary>
internal static class SyntheticHistory
{
    private const int Seed = 1;

    public static Task WriteAsync(string folder, int count, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var (attempts, events) = Make(count);
        return HistoryFolder.WriteAsync(
            folder, HeaderOf(events), attempts, events.Select(EventLine.Of), RestOf(events));
    }

    /// <summary>The same in memory.</summary>
    public static History Of(int count)
    {
        var (attempts, events) = Make(count);
        return new(HeaderOf(events), attempts, events, RestOf(events));
    }

    private static (List<Attempt> Attempts, List<LogEvent> Events) Make(int count)
    {
        var shop = new SyntheticShop(Seed);
        while (shop.Attempts.Count < count) shop.Next();
        return (shop.Attempts, shop.Events);
    }

    private static RunHeader HeaderOf(List<LogEvent> events) =>
        new(Seed, SyntheticShop.Clients, 0, "none", events.Count == 0 ? 0 : events[0].Position - 1, true, 0)
            { Format = RunHeader.Current };

    private static RestState RestOf(List<LogEvent> events) =>
        new() { Consumers = [Consumed.Of("synthetic", events)] };
}
