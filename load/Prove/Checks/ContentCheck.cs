using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class ContentCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var erased = new Dictionary<LogEvent, long>(ReferenceEqualityComparer.Instance);
        foreach (var read in history.Reads.Where(read => read.Outcome == Outcome.Acknowledged))
        {
            var resource = History.OperationOf(read).Resource;
            foreach (var sight in read.Seen.Where(sight => sight.Version > 0))
            {
                var one = history.EventAt(new(resource, sight.Id, sight.Version));
                if ((Compare(history, read, sight, one) ?? Earlier(one!, sight)) is { } wrong)
                    yield return $"{read} shows {resource}/{sight.Id} version {sight.Version}, {wrong}";
            }
        }

        // The values that an erasure replaced are not in the log; reads of one version show the same ones.
        string? Earlier(LogEvent one, Sight sight)
        {
            if (one.State.Digest == sight.Digest) return null;
            if (!history.IsRewritten(one)) return "with other values than its event";
            return erased.TryAdd(one, sight.Digest) || erased[one] == sight.Digest
                ? null
                : "with other values than reads before its erasure";
        }
    }

    private static string? Compare(History history, Attempt read, Sight sight, LogEvent? one)
    {
        if (one is null) return "which was never written";
        if (one.Kind == EventKind.Deleted) return "which is its deletion";
        if (one.IsErasure && one.State.Digest != sight.Digest) return "with other values than its erasure";
        return history.AttemptOf(one.Trace) is { } writer && writer.Start > read.End
            ? $"before it was sent as {writer}"
            : null;
    }
}
