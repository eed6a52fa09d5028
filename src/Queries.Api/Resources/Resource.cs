using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Resources;

/// <summary>A kind of document: its names, its scope, and the filters and sorts of its lists.</summary>
/// <param name="Name">Path segment, document table and kind of its segments.</param>
/// <param name="Singular">The noun for one document, in messages and operation ids.</param>
/// <param name="Filters">By name, as in a query string.</param>
/// <param name="Sorts">The first is the default.</param>
/// <param name="Scope">The scope that a caller's key needs; null if none is needed.</param>
internal sealed record Resource(
    string Name, string Singular, IReadOnlyList<Filter> Filters, IReadOnlyList<Sort> Sorts, string? Scope = null)
{
    /// <summary>The projector's counts of whole collections.</summary>
    public static SegmentCounts SegmentCounts { get; } =
        new(ReadTables.Segments, "kind", ValueKind.AnyText, "document_count");

    public static IReadOnlyList<Resource> All { get; } =
    [
        Of(ApexShop.Resources.Resource.Products, ProductLists.Filters, ProductLists.Sorts),
        Of(ApexShop.Resources.Resource.Categories, CategoryLists.Filters, CategoryLists.Sorts),
        Of(ApexShop.Resources.Resource.Orders, OrderLists.Filters, OrderLists.Sorts),
        Of(ApexShop.Resources.Resource.Reviews, ReviewLists.Filters, ReviewLists.Sorts),
        Of(ApexShop.Resources.Resource.Users, UserLists.Filters, UserLists.Sorts),
    ];

    public string Table { get; } = ReadTables.Of(Name);

    /// <summary>Clients may not cache documents that need a scope; others they may cache and must revalidate.</summary>
    public string CacheControl => Scope is null ? "no-cache" : "private, no-store";

    public Sort Sort(string name) => Sorts.First(sort => sort.Name == name);

    private static Resource Of(ApexShop.Resources.Resource row, IReadOnlyList<Filter> filters, IReadOnlyList<Sort> sorts) =>
        new(row.Name, row.Singular, filters, sorts, row.ReadScope);
}
