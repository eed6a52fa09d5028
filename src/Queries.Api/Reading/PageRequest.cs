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
