using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Resources;

/// <summary>One of the five kinds of document: how it is called, who may read it, and what its lists can do.</summary>
/// <param name="Name">Path segment, document table and kind of its segments in one word.</param>
/// <param name="Singular">One document of it, in messages and operation ids.</param>
/// <param name="Filters">By name, as a query string gives them.</param>
/// <param name="Sorts">The first is the order of a list that names none.</param>
/// <param name="Scope">What a caller's key must allow; null for everybody.</param>
internal sealed record Resource(
    string Name, string Singular, IReadOnlyList<Filter> Filters, IReadOnlyList<Sort> Sorts, string? Scope = null)
{
    public static Ruler Ruler { get; } = new(ReadTables.Segments, "kind", ValueKind.AnyText, "document_count");

    public static IReadOnlyList<Resource> All { get; } =
    [
        Of(ApexShop.Resources.Resource.Products, ProductLists.Filters, ProductLists.Sorts),
        Of(ApexShop.Resources.Resource.Categories, CategoryLists.Filters, CategoryLists.Sorts),
        Of(ApexShop.Resources.Resource.Orders, OrderLists.Filters, OrderLists.Sorts),
        Of(ApexShop.Resources.Resource.Reviews, ReviewLists.Filters, ReviewLists.Sorts),
        Of(ApexShop.Resources.Resource.Users, UserLists.Filters, UserLists.Sorts),
    ];

    public string Table { get; } = ReadTables.Of(Name);

    /// <summary>Documents behind a scope stay out of every cache; others may be kept and asked about each time.</summary>
    public string CacheControl => Scope is null ? "no-cache" : "private, no-store";

    public Sort Sort(string name) => Sorts.First(sort => sort.Name == name);

    private static Resource Of(ApexShop.Resources.Resource row, IReadOnlyList<Filter> filters, IReadOnlyList<Sort> sorts) =>
        new(row.Name, row.Singular, filters, sorts, row.ReadScope);
}
