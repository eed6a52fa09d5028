using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class ContentCheck
{
    public static IEnumerable<string> Find(History history) =>
        from read in history.Reads
        where read.Outcome == Outcome.Acknowledged
        let resource = History.OperationOf(read).Resource
        from sight in read.Seen
        where sight.Version > 0
        let wrong = Compare(history, read, sight, history.EventAt(new(resource, sight.Id, sight.Version)))
        where wrong is not null
        select $"{read} shows {resource}/{sight.Id} version {sight.Version}, {wrong}";

    private static string? Compare(History history, Attempt read, Sight sight, LogEvent? one)
    {
        if (one is null) return "which was never written";
        if (one.Kind == EventKind.Deleted) return "which is its deletion";
        if (one.State.Digest != sight.Digest) return "with other values than its event";
        return history.AttemptOf(one.Trace) is { } writer && writer.Start > read.End
            ? $"before it was sent as {writer}"
            : null;
    }
}
