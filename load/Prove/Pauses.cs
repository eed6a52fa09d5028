using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove;

/// <summary>The longest times without an acknowledged command and without an answered read, for each fault.</summary>
internal static class Pauses
{
    private const double Shortest = 1;

    /// <summary>A line for each fault during which there was none for a second or longer.</summary>
    public static IEnumerable<string> Of(History history)
    {
        var (commands, reads) = (Ends(history.Writes), Ends(history.Reads));
        return from fault in history.Header.Injected ?? []
               group fault by fault.Name into same
               let command = same.Max(fault => Longest(commands, fault))
               let read = same.Max(fault => Longest(reads, fault))
               where Math.Max(command, read) >= Shortest
               orderby command descending
               select string.Create(
                   CultureInfo.InvariantCulture,
                   $"  {same.Key} ({same.Count()}): {command:0.0} s without a command, {read:0.0} s without a read");
    }

    // The run's end is the last one, for a pause that lasted until then.
    private static long[] Ends(IEnumerable<Attempt> attempts)
    {
        var all = attempts.ToList();
        var ends = all.Where(one => one.Outcome == Outcome.Acknowledged).Select(one => one.End);
        return [.. ends.Append(all.Select(one => one.End).DefaultIfEmpty().Max()).Order()];
    }

    /// <summary>In seconds, from an answer to the next one; it may begin before the fault or end after it.</summary>
    private static double Longest(long[] ends, InjectedFault fault)
    {
        var longest = 0L;
        var at = Array.BinarySearch(ends, fault.Start);
        for (var next = Math.Max(1, at < 0 ? ~at : at); next < ends.Length && ends[next - 1] < fault.End; next++)
            longest = Math.Max(longest, ends[next] - ends[next - 1]);
        return longest / 1e6;
    }
}
