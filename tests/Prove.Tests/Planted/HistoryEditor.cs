using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Changes copies of a recorded history, as a shop with a bug would have left it.</summary>
internal static class HistoryEditor
{
    private const long Minute = 60_000_000;

    public static History With(
        this History history, IEnumerable<Attempt>? attempts = null, IEnumerable<LogEvent>? log = null,
        RestState? rest = null) =>
        new(
            history.Header, [.. attempts ?? history.Attempts], [.. log ?? history.Log], rest ?? history.Rest);

    /// <summary>Adds requests of another client after all others, with a minute between them.</summary>
    public static History Append(this History history, params IEnumerable<Attempt> attempts)
    {
        var end = history.Attempts.Max(attempt => attempt.End);
        return history.With(attempts: history.Attempts.Concat(attempts.Select((attempt, i) => attempt with
        {
            Client = 99, Number = i, Process = "queries", Trace = $"{i:x32}", Outcome = Outcome.Acknowledged,
            Start = end + ((i + 1) * Minute), End = end + ((i + 1) * Minute) + 1,
        })));
    }

    /// <summary>Exchanges one attempt; the original must be in the history.</summary>
    public static History Replace(this History history, Attempt one, Attempt other) =>
        history.With(attempts: history.Attempts.Select(attempt => ReferenceEquals(attempt, one) ? other : attempt));

    public static History Replace(this History history, LogEvent one, LogEvent other) =>
        history.With(log: history.Log.Select(entry => ReferenceEquals(entry, one) ? other : entry));

    /// <summary>
    /// The log without an event. Positions, versions and consumers fit each other again, so that only what the event
    /// stood for is missing.
    /// </summary>
    public static History Without(this History history, LogEvent one) =>
        Renumbered(history, history.Log.Where(entry => !ReferenceEquals(entry, one)));

    public static History InsertAfter(this History history, LogEvent place, LogEvent other) =>
        Renumbered(history, history.Log.SelectMany<LogEvent, LogEvent>(
            entry => ReferenceEquals(entry, place) ? [entry, other] : [entry]));

    public static History Swap(this History history, LogEvent one, LogEvent other) =>
        Renumbered(history, history.Log.Select(
            entry => ReferenceEquals(entry, one) ? other : ReferenceEquals(entry, other) ? one : entry));

    public static History With(this History history, Func<RestState, RestState> edit) =>
        history.With(rest: edit(history.Rest));

    /// <summary>The first list of a resource at rest that fulfils a condition, changed.</summary>
    public static History WithView(this History history, Func<RestView, bool> where, Func<RestView, RestView> edit)
    {
        var view = history.Rest.Views.First(where);
        return history.With(rest => rest with
            { Views = [.. rest.Views.Select(one => ReferenceEquals(one, view) ? edit(one) : one)] });
    }

    public static History WithPositions(this History history, Func<IReadOnlyList<long>, IEnumerable<long>> edit) =>
        history.With(rest => rest with
            { Consumers = [.. rest.Consumers.Select(one => one with { Positions = [.. edit(one.Positions)] })] });

    private static History Renumbered(History history, IEnumerable<LogEvent> log)
    {
        var (position, previous) = (0L, new Dictionary<string, long>());
        var versions = new Dictionary<(string, int), long>();
        var renumbered = new List<LogEvent>();
        foreach (var one in log)
        {
            var key = (one.Resource, one.Aggregate);
            renumbered.Add(one with
            {
                Position = ++position, Previous = previous.GetValueOrDefault(one.Resource),
                Version = versions[key] = versions.GetValueOrDefault(key) + 1,
            });
            previous[one.Resource] = position;
        }

        var positions = renumbered.Select(one => one.Position).Where(number => number > history.Header.Base).ToList();
        return history.With(log: renumbered).With(rest => rest with
            { Consumers = [.. rest.Consumers.Select(one => one with { Positions = positions })] });
    }
}
