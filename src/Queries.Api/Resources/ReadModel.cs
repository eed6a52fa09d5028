using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Queries.Api.Resources;

/// <summary>The documents of one resource as the queries offer them.</summary>
/// <param name="Resource">Names and scope.</param>
/// <param name="Filters">By name, as in a query string.</param>
/// <param name="Sorts">The first is the default.</param>
internal sealed record ReadModel(Resource Resource, IReadOnlyList<Filter> Filters, IReadOnlyList<Sort> Sorts)
{
    /// <summary>The projector's counts of whole collections.</summary>
    public static SegmentCounts SegmentCounts { get; } =
        new(ReadTables.Segments, "kind", ValueKind.AnyText, "document_count");

    public static IReadOnlyList<ReadModel> All { get; } = OnePerResource(
        new(Resource.Products, ProductLists.Filters, ProductLists.Sorts)
        {
            Facets = ProductLists.Facets,
            HasSlugs = true,
        },
        new(Resource.Categories, CategoryLists.Filters, CategoryLists.Sorts),
        new(Resource.Orders, OrderLists.Filters, OrderLists.Sorts) { Owner = "customer" },
        new(Resource.Reviews, ReviewLists.Filters, ReviewLists.Sorts),
        new(Resource.Users, UserLists.Filters, UserLists.Sorts));

    public string Name => Resource.Name;

    public string Singular => Resource.Singular;

    /// <summary>The name as a part of operation ids.</summary>
    public string CapitalizedName => Capitalized(Name);

    /// <summary>The singular as a part of operation ids, and as the name of the documents' schema.</summary>
    public string CapitalizedSingular => Capitalized(Singular);

    /// <summary>The scope that a caller's key needs; null if none is needed.</summary>
    public string? Scope => Resource.ReadScope;

    /// <summary>
    /// The member with the customer to whom a document belongs, when customers may read their own; the filter by this
    /// customer has the same name with Id.
    /// </summary>
    public string? Owner { get; init; }

    /// <summary>By what the documents of a list are counted; empty if they are not.</summary>
    public IReadOnlyList<Facet> Facets { get; init; } = [];

    /// <summary>Whether documents have a slug, by which one can be read too.</summary>
    public bool HasSlugs { get; init; }

    /// <summary>The path of the list that is paged by cursors.</summary>
    public string CursorPath => $"/{Name}/cursor";

    public string Table { get; } = ReadTables.Of(Resource.Name);

    /// <summary>The body of a row of the table, in SQL.</summary>
    public string Body { get; } = PendingNames.Body(Resource.Name);

    /// <summary>The revision of the body, in SQL.</summary>
    public string Revision { get; } = PendingNames.Revision(Resource.Name);

    /// <summary>Clients may not cache documents that need a scope; others they may cache and must revalidate.</summary>
    public string CacheControl => Scope is null ? "no-cache" : "private, no-store";

    public static ReadModel Of(Resource resource) => All.First(model => model.Resource == resource);

    public Sort SortNamed(string name) => Sorts.First(sort => sort.Name == name);

    public Filter FilterNamed(string name) => Filters.First(filter => filter.Name == name);

    private static string Capitalized(string word) => char.ToUpperInvariant(word[0]) + word[1..];

    private static ReadModel[] OnePerResource(params ReadModel[] models) =>
        models.Select(model => model.Name).Order().SequenceEqual(Resource.Names.Order())
            ? models
            : throw new InvalidOperationException("Each resource needs one read model.");
}
