using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class RestCheck
{
    public static IEnumerable<string> Find(History history)
    {
        if (history.Rest.Views.Count == 0) yield break;
        var derived = new DerivedValues(history);
        var alive = history.LastEvents.Where(one => one.Kind != EventKind.Deleted).ToLookup(one => one.Resource);
        foreach (var wrong in OfFacets(history, derived)) yield return wrong;
        foreach (var view in history.Rest.Views)
        {
            var query = view.Query is null ? null : new ListQuery(view.Query);
            var expected = alive[view.Resource].Where(one => query?.Keeps(one.Aggregate, one.State) != false)
                .ToDictionary(one => one.Aggregate);
            if (view.Total is { } total && total != expected.Count)
                yield return $"{view.Source} counts {total} {view.Resource} instead of {expected.Count}";
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

    private static IEnumerable<string> OfFacets(History history, DerivedValues derived)
    {
        foreach (var source in history.Rest.Facets.GroupBy(facet => facet.Source))
        {
            var counted = source.ToDictionary(facet => facet.CategoryId, facet => facet.Count);
            foreach (var (category, count) in derived.ProductsOf)
            {
                if (!counted.Remove(category, out var found) || found != count)
                    yield return $"{source.Key} counts {found} products of category {category} instead of {count}";
            }

            foreach (var (category, count) in counted)
                yield return $"{source.Key} counts {count} products of category {category}, which has none";
        }
    }

    private static string? Compare(RestDocument document, LogEvent one, string derived)
    {
        if (document.Version != one.Version) return $"in version {document.Version} instead of {one.Version}";
        if (document.Digest != one.State.Digest) return "with other values than its last event";
        return document.Derived == derived ? null : $"with '{document.Derived}' instead of '{derived}'";
    }
}
