using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove;

/// <summary>
/// The longest times without an acknowledged command, without an answered read, and without a read that shows a newer
/// change, for each fault.
/// </summary>
internal static class Pauses
{
    private const double Shortest = 1;

    /// <summary>A line for each fault during which one of them took a second or longer.</summary>
    public static IEnumerable<string> Of(History history)
    {
        List<Pause>[] kinds = [[.. Between(history.Writes)], [.. Between(history.Reads)], [.. BetweenChanges(history)]];
        return from fault in history.Header.Injected ?? []
               group fault by fault.Name into same
               let seconds = kinds.Select(pauses => same.Max(fault => Longest(pauses, fault))).ToArray()
               where seconds.Max() >= Shortest
               orderby seconds[0] descending
               select string.Create(
                   CultureInfo.InvariantCulture,
                   $"  {same.Key} ({same.Count()}): {seconds[0]:0.0} s without a command, {seconds[1]:0.0} s without "
                   + $"a read, {seconds[2]:0.0} s until a read showed a change");
    }

    // The run's end is the last one, for a pause that lasted until then.
    private static IEnumerable<Pause> Between(IEnumerable<Attempt> attempts)
    {
        var all = attempts.ToList();
        var ends = all.Where(one => one.Outcome == Outcome.Acknowledged).Select(one => one.End);
        long[] sorted = [.. ends.Append(all.Select(one => one.End).DefaultIfEmpty().Max()).Order()];
        return sorted.Zip(sorted.Skip(1), (end, next) => new Pause(end, next));
    }

    /// <summary>
    /// From the acknowledgement of the newest change that reads have shown until a read shows a newer one.
    /// </summary>
    private static IEnumerable<Pause> BetweenChanges(History history)
    {
        var acknowledged = history.Writes.Where(write => write.Outcome == Outcome.Acknowledged)
            .SelectMany(write => write.Saved.Select(saved => (saved, write.End)))
            .GroupBy(change => change.saved)
            .ToDictionary(same => same.Key, same => same.Min(change => change.End));
        long? newest = null;
        var last = 0L;
        foreach (var read in history.Reads.OrderBy(read => read.End))
        {
            last = read.End;
            var resource = History.OperationOf(read).Resource;
            foreach (var sight in read.Seen)
            {
                var isKnown = acknowledged.TryGetValue(new Saved(resource, sight.Id, sight.Version), out var changed);
                if (!isKnown || changed <= newest) continue;
                if (newest < read.End) yield return new Pause(newest.Value, read.End);
                newest = changed;
            }
        }

        if (acknowledged.Values.Any(changed => changed > newest)) yield return new Pause(newest!.Value, last);
    }

    /// <summary>In seconds; a pause may begin before the fault or end after it.</summary>
    private static double Longest(IEnumerable<Pause> pauses, InjectedFault fault) => pauses
        .Where(pause => pause.Start < fault.End && pause.End >= fault.Start)
        .Max(pause => (pause.End - pause.Start) / 1e6 as double?) ?? 0;

    private readonly record struct Pause(long Start, long End);
}
