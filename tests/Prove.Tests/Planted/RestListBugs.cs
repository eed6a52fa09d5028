using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of lists with filters and sorts at rest, in lists that are added to the history.</summary>
internal static class RestListBugs
{
    private const string Lists = "rest.lists";
    private const string Prices = "/products?sort=-price&pageSize=10";
    private const string Active = "/users/cursor?isActive=true&pageSize=100";

    public static IEnumerable<PlantedBug> All =>
    [
        Planted("a list lacks a document that its filter keeps", Active, page => page with
            { Documents = [.. page.Documents.Skip(1)] }),
        Planted("a list has a document that its filter excludes", "/users/cursor?isActive=false&pageSize=100",
            page => page with { Documents = [.. page.Documents, page.Documents[0] with { Id = AddedRead.NoId }] }),
        Planted("a list has a document twice", Active, page => page with
            { Documents = [page.Documents[0], .. page.Documents.SkipLast(1)] }),
        Planted("a page of the first version is in another order", Prices, page => page with
            { Documents = [.. page.Documents.Reverse()] }),
        Planted("a page of the first version begins one document late", Prices, page => page with
            { Number = 2, Documents = [.. page.Documents.Skip(1)] }),
        Planted("a page of the first version counts a document too many", Prices, page => page with
            { Total = page.Total + 1 }),
        Planted("a page of the first version counts a page too few", Prices, page => page with
            { TotalPages = page.TotalPages - 1 }),
        Planted("a page ends before the list does", Prices, page => page with { HasNext = false }),
        Planted("a list has an earlier text of a document", Active, page => page with
            { Documents = [page.Documents[0] with { Digest = 1 }, .. page.Documents.Skip(1)] }),
        new(Lists, "the facets of a filter count a product too many", history => WithFacets(
            history, counts => [counts[0] with { Count = counts[0].Count + 1 }, .. counts.Skip(1)])),
        new(Lists, "the facets of a filter lack a value", history => WithFacets(history, counts => counts.Skip(1))),
        new(Lists, "a document has another date than its event", history => WithLists(history).With(rest => rest with
        {
            Documents =
            [
                rest.Documents[0] with { State = rest.Documents[0].State with { Created = default } },
                .. rest.Documents.Skip(1),
            ],
        })),
        Answered("a rebuild is refused without a code", new("rebuild", 503)),
        Answered("a rollback is refused as no command may be", new("rollback", 500, "internal")),
        Answered("healing is refused with the code of an audit", new("heal", 503, "audit.running")),
        Answered("an audit fails in its middle for no documented reason", new("audit", 200, "internal")),
        Answered("an audit finds a difference while clients write",
            new("audit", 200, Result: "found 1 differences: state of product 17")),
        Answered("a rebuild makes other documents than the log has",
            new("rebuild", 200, Result: "failed: The new users differ from the event log: 3 documents")),
    ];

    /// <summary>The history with its documents, and with lists and facets of them that have no bug.</summary>
    public static History WithLists(History history)
    {
        var documents = history.LastEvents.Where(one => one.Kind != EventKind.Deleted)
            .Select(one => new SourceDocument(one.Resource, one.Aggregate, one.Version, one.State, 0)).ToList();
        var users = documents.Where(one => one.Resource == Kinds.Users).OrderBy(one => one.Id).ToList();
        var prices = documents.Where(one => one.Resource == Kinds.Products)
            .OrderByDescending(one => one.State.Amount).ThenByDescending(one => one.Id).ToList();
        return history.With(rest => rest with
        {
            Documents = documents, FacetLists = [FacetsOf(prices)],
            Lists =
            [
                new("queries", Kinds.Products, Prices, [PageOf(prices.Take(10)) with
                    { HasNext = true, Total = prices.Count, TotalPages = (prices.Count + 9) / 10 }]),
                new("queries", Kinds.Users, Active, [PageOf(users.Where(one => one.State.IsActive))]),
                new("queries", Kinds.Users, "/users/cursor?isActive=false&pageSize=100",
                    [PageOf(users.Where(one => !one.State.IsActive))]),
            ],
        });
    }

    private static PlantedBug Planted(string name, string path, Func<ListedPage, ListedPage> edit) => new(
        Lists, name, history => WithLists(history).With(rest => rest with
        {
            Lists =
            [
                .. rest.Lists.Select(list => list.Path == path ? list with { Pages = [edit(list.Pages[0])] } : list),
            ],
        }));

    private static PlantedBug Answered(string name, OperatorReply reply) => new(
        "operator.answers", name, history => new(
            history.Header with { Operated = [reply] }, history.Attempts, history.Log, history.Rest));

    private static ListedPage PageOf(IEnumerable<SourceDocument> documents) =>
        new(1, [.. documents.Select(one => new ListedDocument(one.Id, one.Digest))]);

    private static History WithFacets(
        History history, Func<IReadOnlyList<FacetCount>, IEnumerable<FacetCount>> edit) =>
        WithLists(history).With(rest => rest with
            { FacetLists = [.. rest.FacetLists.Select(list => list with { Counts = [.. edit(list.Counts)] })] });

    private static FacetList FacetsOf(List<SourceDocument> products) => new(
        "queries", "/products/facets", products.Count,
        [
            .. products.CountBy(one => one.State.CategoryId)
                .Select(same => new FacetCount(FacetReader.Facets[0], same.Key, same.Key + 1, same.Value)),
            new("prices", 0, null, products.Count), new("ratings", 0, 1, products.Count),
            .. products.CountBy(one => one.State.Stock > 0 ? 1 : 0)
                .Select(same => new FacetCount("stock", same.Key, same.Key + 1, same.Value)),
        ]);
}
