using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class ListCheck
{
    public static IEnumerable<string> Find(History history) =>
        from read in history.Reads
        where read.Outcome == Outcome.Acknowledged
        from wrong in Of(history, read)
        select $"{read} {wrong}";

    private static IEnumerable<string> Of(History history, Attempt read)
    {
        var (resource, verb) = (History.OperationOf(read).Resource, History.OperationOf(read).Verb);
        if (read.Seen.Count > 1 && read.Seen.DistinctBy(sight => sight.Id).Count() != read.Seen.Count)
            yield return "shows an aggregate twice";
        if (verb == "changes") yield break;
        var shown = read.Seen.Where(sight => sight.Version > 0);
        if (verb is not ("stream" or "export") && !read.Path.Contains("pageSize=", StringComparison.Ordinal))
        {
            foreach (var sight in shown.Where(sight => !read.Asked.Contains(sight.Id)))
                yield return $"shows {resource}/{sight.Id}, which it does not name";
            yield break;
        }

        // Another check finds versions that were never written.
        var query = new ListQuery(read.Path);
        LogEvent? before = null;
        foreach (var one in shown.Select(sight => history.EventAt(new(resource, sight.Id, sight.Version))))
        {
            if (one is null) continue;
            if (!query.Keeps(one.Aggregate, one.State)) yield return $"shows {one}, which {read.Path} excludes";
            if (before is not null && !query.IsInOrder(before, one))
                yield return $"shows {one} after {before}, which is not the order of {read.Path}";
            before = one;
        }
    }
}
