using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of the projection, of caches and of consumers, as they are seen at rest.</summary>
internal static class RestBugs
{
    private const string Documents = "rest.documents";
    private const string Consumers = "rest.consumers";

    public static IEnumerable<PlantedBug> All =>
    [
        First("a document is one version behind", "/stream", one => one with { Version = one.Version - 1 }),
        First("a document has other values", "/cursor", one => one with { Digest = one.Digest + 1 }),
        First("a document has another derived value", "/batch", one => one with { Derived = "other" }),
        First("a document has another id", "/changes", one => one with { Id = 987_654 }),
        new(Documents, "a page lacks its last document", history => history.WithView(
            view => view.Source.EndsWith("/cursor", StringComparison.Ordinal),
            view => view with { Documents = [.. view.Documents.SkipLast(1)] })),
        First("a numbered page has an earlier version", "/v2", one => one with { Version = one.Version - 1 }),
        First("a copy of the changes has an earlier version", "the copy by /changes",
            one => one with { Version = one.Version - 1 }),
        new(Documents, "a search lacks a product", history => history.WithView(
            view => view.Query is not null && view.Documents.Count > 0,
            view => view with { Documents = [.. view.Documents.Skip(1)] })),
        new(Documents, "numbered pages have another total", history => history.WithView(
            view => view.Total is not null, view => view with { Total = view.Total + 1 })),
        new(Documents, "a copy of the changes keeps a deleted document", history => history.WithView(
            view => view.Source == "the copy by /changes" && view.Resource == Kinds.Reviews,
            view => view with
                { Documents = [.. view.Documents, new(view.Deleted![0], 1, 1, "")] })),
        new(Documents, "the facets count a product too many", history => history.With(rest => rest with
            { Facets = [rest.Facets[0] with { Count = rest.Facets[0].Count + 1 }, .. rest.Facets.Skip(1)] })),
        new(Documents, "the facets lack a category", history => history.With(rest => rest with
            { Facets = [.. rest.Facets.Skip(1)] })),
        new(Documents, "the changes have a tombstone of a document that is alive", history => history.WithView(
            view => view.Deleted is not null && view.Documents.Count > 0,
            view => view with { Deleted = [.. view.Deleted!, view.Documents[0].Id] })),
        new(Documents, "a cache keeps a deleted document", history => history.WithView(
            view => view.Source.EndsWith("/stream", StringComparison.Ordinal) && view.Resource == Kinds.Reviews,
            view => view with
            {
                Documents =
                [
                    .. view.Documents, new(
                        history.Log.First(one => one.Resource == Kinds.Reviews && one.Kind == EventKind.Deleted)
                            .Aggregate, 1, 1, ""),
                ],
            })),
        new(Consumers, "a consumer misses an event", history =>
            history.WithPositions(positions => positions.Where((_, i) => i != 40))),
        new(Consumers, "a consumer has an event twice", history =>
            history.WithPositions(positions => positions.Take(41).Concat(positions.Skip(40)))),
        new(Consumers, "a consumer has two events in the wrong order", history =>
            history.WithPositions(positions =>
                [.. positions.Take(40), positions[41], positions[40], .. positions.Skip(42)])),
        new(Consumers, "a consumer lacks the last event", history =>
            history.WithPositions(positions => positions.SkipLast(1))),
        new(Consumers, "a consumer has other values of an event", history =>
        {
            var place = history.Log.First(one => one.Position > history.Header.Base && !history.IsRewritten(one));
            return history.With(rest => rest with
            {
                Consumers =
                [
                    Consumed.Of("a webhook", [.. history.Log
                        .Where(one => one.Position > history.Header.Base)
                        .Select(one => one == place ? one with { State = AggregateState.None } : one)]),
                ],
            });
        }),
        new("rest.audit", "a table differs from its document", history =>
            history.With(rest => rest with { Audit = rest.Audit! with { Different = 1 } })),
        new("rest.audit", "a document was not compared", history =>
            history.With(rest => rest with { Audit = rest.Audit! with { NotCompared = 1 } })),
        new("rest.audit", "an audit compares nothing", history =>
            history.With(rest => rest with { Audit = rest.Audit! with { Compared = 0 } })),
    ];

    private static PlantedBug First(string name, string source, Func<RestDocument, RestDocument> edit) => new(
        Documents, name, history => history.WithView(
            view => view.Source.EndsWith(source, StringComparison.Ordinal) && view.Documents.Count > 0,
            view => view with { Documents = [edit(view.Documents[0]), .. view.Documents.Skip(1)] }));
}
