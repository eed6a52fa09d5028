namespace ApexShop.Prove.Histories;

/// <summary>
/// A version of an aggregate, and when the shop had it: at most from <paramref name="Earliest"/> to
/// <paramref name="Last"/>, and certainly from <paramref name="Latest"/> to <paramref name="Next"/>, in microseconds
/// since the run began. <paramref name="Event"/> is null before the creation.
/// </summary>
internal readonly record struct VersionTime(LogEvent? Event, long Earliest, long Latest, long Next, long Last)
{
    /// <summary>The values, or null if the aggregate did not exist.</summary>
    public AggregateState? State => Event is null or { Kind: EventKind.Deleted } ? null : Event.State;
}

/// <summary>
/// When the aggregates had their versions, as far as the requests show: a change is committed after its request was
/// sent and before its response arrived, and the versions of an aggregate follow each other.
/// </summary>
internal sealed class VersionTimes
{
    private static readonly VersionTime[] never = [new(null, long.MinValue, long.MinValue, Forever, Forever)];

    private readonly Dictionary<(string Resource, int Id), VersionTime[]> times;

    public VersionTimes(History history)
    {
        var answers = history.Units.Where(unit => unit.Acknowledged is not null)
            .SelectMany(unit => unit.Attempts.Select(attempt => (attempt.Trace, unit.Acknowledged!.End)))
            .ToDictionary(one => one.Trace, one => one.End);
        times = history.Log.GroupBy(one => (one.Resource, one.Aggregate)).ToDictionary(
            same => same.Key, same => Of([.. same], one => Committed(history, one, answers)));
    }

    /// <summary>Later than everything.</summary>
    public const long Forever = long.MaxValue;

    public IEnumerable<VersionTime> All => times.Values.SelectMany(all => all);

    public IReadOnlyList<VersionTime> Of(string resource, int id) => times.GetValueOrDefault((resource, id)) ?? never;

    /// <summary>The versions that the aggregate may have had in this time.</summary>
    public IEnumerable<VersionTime> In(string resource, int id, long from, long until)
    {
        var all = Of(resource, id);
        var (low, high) = (0, all.Count - 1);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (all[middle].Last < from) low = middle + 1;
            else high = middle;
        }

        for (; low < all.Count && all[low].Earliest <= until; low++) yield return all[low];
    }

    private static (long Earliest, long Latest) Committed(
        History history, LogEvent one, Dictionary<string, long> answers)
    {
        if (one.Position <= history.Header.Base) return (long.MinValue, long.MinValue);
        // The shop itself, or others in a shop that is not ours alone.
        if (history.AttemptOf(one.Trace) is not { } attempt) return (long.MinValue, Forever);
        return attempt.Outcome == Outcome.Unknown
            ? (attempt.Start, answers.GetValueOrDefault(one.Trace, Forever))
            : (attempt.Start, attempt.End);
    }

    private static VersionTime[] Of(LogEvent[] events, Func<LogEvent, (long Earliest, long Latest)> committed)
    {
        var commits = Array.ConvertAll(events, one => committed(one));
        for (var at = 1; at < commits.Length; at++)
            commits[at].Earliest = Math.Max(commits[at].Earliest, commits[at - 1].Earliest);
        for (var at = commits.Length - 2; at >= 0; at--)
            commits[at].Latest = Math.Min(commits[at].Latest, commits[at + 1].Latest);
        var all = new VersionTime[events.Length + 1];
        all[0] = new(null, long.MinValue, long.MinValue, commits[0].Earliest, commits[0].Latest);
        for (var at = 0; at < events.Length; at++)
        {
            var (next, last) = at + 1 < events.Length ? commits[at + 1] : (Forever, Forever);
            all[at + 1] = new(events[at], commits[at].Earliest, commits[at].Latest, next, last);
        }

        return all;
    }
}
