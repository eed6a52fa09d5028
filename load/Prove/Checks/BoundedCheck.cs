using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class BoundedCheck
{
    // Decision 0025, in microseconds.
    private const long Bound = 2_000_000;

    /// <summary>Follows the reads in the order of their starts, and two seconds behind in that of their ends.</summary>
    public static IEnumerable<string> Find(History history)
    {
        var reads = history.Reads.Where(read => read.Outcome == Outcome.Acknowledged).ToList();
        var ended = reads.OrderBy(read => read.End).ToList();
        var newest = new Dictionary<(string Resource, int Id), long>();
        // Sights of a document that was there before and is deleted now, by the number of their read.
        var deletions = new Dictionary<(int Client, int Number, int Id), long>();
        var next = 0;
        foreach (var read in reads.OrderBy(read => read.Start))
        {
            for (; ended[next].End + Bound < read.Start; next++) Raise(ended[next], newest, deletions);
            var resource = History.OperationOf(read).Resource;
            foreach (var sight in read.Seen)
            {
                if (!newest.TryGetValue((resource, sight.Id), out var before) || sight.Version >= before) continue;
                if (sight.Version == 0 && history.LastOf(resource, sight.Id) is { Kind: EventKind.Deleted } deletion)
                    deletions[(read.Client, read.Number, sight.Id)] = deletion.Version;
                else
                    yield return $"{read} shows version {sight.Version} of {resource}/{sight.Id}, "
                        + $"and one that ended two seconds before it began had shown version {before}";
            }
        }
    }

    private static void Raise(
        Attempt read,
        Dictionary<(string Resource, int Id), long> newest,
        Dictionary<(int Client, int Number, int Id), long> deletions)
    {
        var resource = History.OperationOf(read).Resource;
        foreach (var sight in read.Seen)
        {
            var version = sight.Version > 0
                ? sight.Version
                : deletions.GetValueOrDefault((read.Client, read.Number, sight.Id));
            if (version > 0)
                newest[(resource, sight.Id)] = Math.Max(newest.GetValueOrDefault((resource, sight.Id)), version);
        }
    }
}
