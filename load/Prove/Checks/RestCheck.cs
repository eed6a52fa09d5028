using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class RestCheck
{
    public static IEnumerable<string> Find(History history)
    {
        if (history.Rest.Views.Count == 0) yield break;
        var derived = new DerivedValues(history);
        var alive = history.LastEvents.Where(one => one.Kind != EventKind.Deleted).ToLookup(one => one.Resource);
        foreach (var view in history.Rest.Views)
        {
            var expected = alive[view.Resource].ToDictionary(one => one.Aggregate);
            foreach (var document in view.Documents)
            {
                if (!expected.Remove(document.Id, out var one))
                    yield return $"{view.Source} has {view.Resource}/{document.Id}, which the log has not";
                else if (Compare(document, one, derived.Of(one)) is { } wrong)
                    yield return $"{view.Source} has {view.Resource}/{document.Id} {wrong}";
            }

            foreach (var one in expected.Values) yield return $"{view.Source} has not {one}";
            foreach (var id in view.Deleted ?? [])
            {
                if (history.LastOf(view.Resource, id) is not { Kind: EventKind.Deleted })
                    yield return $"{view.Source} has a tombstone of {view.Resource}/{id}, which was not deleted";
            }
        }
    }

    private static string? Compare(RestDocument document, LogEvent one, string derived)
    {
        if (document.Version != one.Version) return $"in version {document.Version} instead of {one.Version}";
        if (document.Digest != one.State.Digest) return "with other values than its last event";
        return document.Derived == derived ? null : $"with '{document.Derived}' instead of '{derived}'";
    }
}
