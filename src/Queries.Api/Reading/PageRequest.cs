using ApexShop.Queries.Api.Requests;
using ApexShop.ReadModels;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// One page of a list. It holds nothing of the HTTP request: a read that other requests joined may outlive the request
/// that began it.
/// </summary>
internal abstract record PageRequest(ListQuery List)
{
    public const int DefaultSize = 20;
    public const int MaxSize = 100;

    /// <summary>Null for whole documents.</summary>
    public FieldSelection? Fields { get; init; }

    /// <summary>
    /// Whether only the next rows of a walk's index are read; see <see cref="WalkTooShortException"/>.
    /// </summary>
    public bool IsNear { get; init; }

    /// <summary>A page size above the maximum counts as the maximum.</summary>
    public static int SizeFrom(QueryParameters query) =>
        query.Number("pageSize", least: 1, most: MaxSize) ?? DefaultSize;
}

/// <summary>A page by its number; the first version of the API has a shorter envelope.</summary>
internal sealed record NumberedPage(ListQuery List, int Size, PageLinks Links, int Number, bool IsFirstVersion)
    : PageRequest(List)
{
    public long Offset => (Number - 1L) * Size;

    /// <summary>The rows that PostgreSQL has to skip one by one before the page.</summary>
    public long Skipped => List.CountsBeforePage() is null ? Offset : 0;

    /// <summary>Whether skipping costs more than the page itself.</summary>
    public bool IsDeep => Skipped >= ReadTables.SegmentSize;
}

/// <summary>The counts of a list's documents by their values, instead of the documents.</summary>
internal sealed record FacetPage(ListQuery List) : PageRequest(List);

/// <summary>The page after or before a cursor, or after the document with an id.</summary>
internal sealed record CursorPage(
    ListQuery List, int Size, PageLinks Links, Cursor? Cursor, bool IsBackwards, int? AfterId)
    : PageRequest(List);
