using ApexShop.Prove.Histories;
using static ApexShop.Prove.Tests.Planted.AddedRead;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>Bugs of lists, searches, counts and changes, in reads that are added to the history.</summary>
internal static class ListBugs
{
    private const string Lists = "reads.lists";
    private const string Changes = "reads.changes";

    public static IEnumerable<PlantedBug> All => [.. OfLists, .. OfChange, .. OfCounts];

    private static IEnumerable<PlantedBug> OfLists =>
    [
        new(Lists, "a page has a document twice", history => history.Append(
            OfNumbers("/products/v2?pageSize=10", Older(history), Older(history)))),
        new(Lists, "a page is not in the order of ids", history => history.Append(
            OfNumbers("/products?pageSize=10", Alive(history, Products).Take(2).Reverse()))),
        new(Lists, "a page is not in the order of prices", history => history.Append(OfNumbers(
            "/products/v2?pageSize=10&sort=-price", Alive(history, Products).OrderBy(one => one.State.Amount)))),
        new(Lists, "a page is not in the order of names", history => history.Append(OfNumbers(
            "/categories?pageSize=10&sort=name",
            Alive(history, Kinds.Categories).OrderByDescending(one => one.State.Name, StringComparer.Ordinal)))),
        new(Lists, "a list has an order of another customer", history => history.Append(OfNumbers(
            $"/orders?pageSize=10&customerId={NoId}", Alive(history, Kinds.Orders).First()))),
        new(Lists, "a list has an order in another state", history => history.Append(OfNumbers(
            "/orders/v2?pageSize=10&status=Shipped",
            Alive(history, Kinds.Orders, state => state.Status != "Shipped").First()))),
        new(Lists, "a list has a product that costs too much", history => history.Append(OfNumbers(
            "/products?pageSize=10&maxPrice=1", Alive(history, Products, state => state.Amount > 1).First()))),
        new(Lists, "a list has a product of another category", history => history.Append(OfNumbers(
            $"/products?pageSize=10&categoryId={NoId}", Newer(history)))),
        new(Lists, "a list has a user who is not active", history => history.Append(OfNumbers(
            "/users?pageSize=10&isActive=true", Alive(history, Kinds.Users, state => !state.IsActive).First()))),
        new(Lists, "a list has a review of too few stars", history => history.Append(OfNumbers(
            "/reviews?pageSize=10&minRating=5", Alive(history, Kinds.Reviews, state => state.Rating < 5).First()))),
        new(Lists, "a search finds a product without the word", history => history.Append(
            Of("products.search", "/products/cursor?q=spruce&pageSize=10", Newer(history)))),
        new(Lists, "a page shows what is before its beginning", history => history.Append(Of(
            "products.filtered", $"/products/cursor?sort=id&pageSize=5&afterId={NoId}", Newer(history)))),
        new(Lists, "the reviews of a product have one of another product", history => history.Append(Of(
            "reviews.of-product", $"/products/{NoId}/reviews?pageSize=5", Alive(history, Kinds.Reviews).First()))),
        new(Lists, "a slug shows another product", history => history.Append(
            Of("products.by-slug", "/products/by-slug/x", Newer(history)) with { Asked = [NoId] })),
        new("reads.content", "a numbered page shows a version that was never written", history => history.Append(
            OfNumbers("/products?pageSize=10", Newer(history) with { Version = NoId }))),
        new("reads.bounded", "a numbered page of another process is a minute old", history => history.Append(
            OfNumbers("/products?pageSize=10", Older(history)))),
        new("reads.bounded", "a list lacks what another process showed a minute before", history => history.Append(
            Of("products.filtered", "/products/cursor?sort=id&pageSize=5") with
                { Asked = [Newer(history).Aggregate], Seen = [new(Newer(history).Aggregate, 0, 0)] })),
        new("reads.bounded", "a list has a product a minute after its deletion was seen", history => history.Append(
            Of("products.document", "/products/1", BeforeDeletion(history)),
            Of("products.document", "/products/1") with { Seen = [new(BeforeDeletion(history).Aggregate, 0, 0)] },
            OfNumbers("/products?pageSize=10", BeforeDeletion(history)))),
    ];

    private static IEnumerable<PlantedBug> OfChange =>
    [
        new(Changes, "changes miss a product", history => history.Append(
            OfChanges(isFirst: true) with { Tokens = [TokenOf(Newer(history))] })),
        new(Changes, "changes end with an earlier version", history => history.Append(
            OfChanges(isFirst: true, Older(history)) with { HasMore = true },
            OfChanges(isFirst: false) with { Tokens = [TokenOf(Newer(history))] })),
        new(Changes, "a later change is an earlier version", history => history.Append(
            OfChanges(isFirst: true, Newer(history)), OfChanges(isFirst: false, Older(history)))),
        new(Changes, "changes after an expired cursor lack a product", history => history.Append(
            OfChanges(isFirst: true, Newer(history)),
            OfChanges(isFirst: true) with { Tokens = [TokenOf(Newer(history))] })),
        new(Changes, "changes do not have a deletion", history => history.Append(
            OfChanges(isFirst: true, Newer(history)),
            OfChanges(isFirst: false) with { Tokens = [TokenOf(Newer(history)) with { Version = 0 }] })),
        new(Changes, "changes have a deletion of a product that is alive", history => history.Append(
            OfChanges(isFirst: true, Newer(history)),
            OfChanges(isFirst: false) with { Seen = [new(Newer(history).Aggregate, 0, 0)] })),
        new(Lists, "changes have a product twice", history => history.Append(
            OfChanges(isFirst: true, Older(history), Newer(history)))),
    ];

    private static IEnumerable<PlantedBug> OfCounts =>
    [
        new("reads.totals", "a page counts one page too many", history => history.Append(
            OfNumbers("/products?pageSize=10") with { Totals = [20, 3, 10] })),
        new("reads.totals", "a page has more documents than its size", history => history.Append(
            OfNumbers("/products?pageSize=1", Alive(history, Products).Take(2)) with { Totals = [2, 2, 1] })),
        new("reads.totals", "a facet lacks a product", history => history.Append(
            Of("products.facets", "/products/facets") with { Totals = [9, 9, 8, 9, 9] })),
        new("reads.suggestions", "a word is suggested that no product has", history => history.Append(
            Of("products.suggest", "/products/suggest?q=spr") with { Texts = ["spruce"] })),
    ];
}
