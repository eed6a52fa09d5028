using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Reading;

/// <summary>A page by its number. Too long a page is shortened, not refused.</summary>
internal readonly record struct PageRequest(int Number, int Size)
{
    public const int DefaultSize = 20;
    public const int MaxSize = 100;

    public long Offset => (Number - 1L) * Size;

    public static PageRequest From(QueryParameters query) => new(query.Number("page", least: 1) ?? 1, SizeFrom(query));

    public static int SizeFrom(QueryParameters query) =>
        query.Number("pageSize", least: 1, most: MaxSize) ?? DefaultSize;
}

/// <summary>A page by its number among all pages.</summary>
internal readonly record struct NumberedPage(PageRequest Request, long Total)
{
    public long Pages => (Total + Request.Size - 1) / Request.Size;

    public bool HasPrevious => Request.Number > 1;

    public bool HasNext => Request.Number < Pages;

    /// <summary>Whether there is nothing on it, which no row has to be read for.</summary>
    public bool IsBehindTheEnd => Request.Offset >= Total;
}
