namespace ApexShop.Prove.Histories;

/// <summary>
/// A document at rest with the values by which lists select and sort it; <paramref name="Digest"/> is that of its text.
/// </summary>
internal sealed record SourceDocument(
    string Resource, int Id, long Digest, AggregateState State, decimal AverageRating);

/// <summary>A document of a list, with the digest of its text.</summary>
internal readonly record struct ListedDocument(int Id, long Digest);

/// <summary>A page of a list; what its form does not contain is null.</summary>
internal sealed record ListedPage(int Number, IReadOnlyList<ListedDocument> Documents)
{
    public bool? HasPrevious { get; init; }

    public bool? HasNext { get; init; }

    public long? Total { get; init; }

    public long? TotalPages { get; init; }
}

/// <summary>A list with filters and a sort, as the pages that one way of reading returned.</summary>
internal sealed record RestList(string Source, string Resource, string Path, IReadOnlyList<ListedPage> Pages);

/// <summary>How many products a facet counts from a value on, and below another one if there is one.</summary>
internal sealed record FacetCount(string Facet, decimal From, decimal? Below, long Count);

/// <summary>The facets of a list of products.</summary>
internal sealed record FacetList(string Source, string Path, long Total, IReadOnlyList<FacetCount> Counts);
