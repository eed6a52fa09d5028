using System.Buffers;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Writes what stands around the documents of a page; the documents themselves are already bytes.</summary>
internal static class PageEnvelope
{
    private const int UsualLength = 32 * 1024;

    public static PooledBuffer Open()
    {
        var page = new PooledBuffer(UsualLength);
        page.Write("{\"data\":["u8);
        return page;
    }

    /// <summary>The first version's numbered page; the second adds whether there are others.</summary>
    public static void Close(PooledBuffer page, NumberedPage numbers, Slice slice, bool isFirstVersion)
    {
        CloseArray(page, slice);
        page.Append($",\"page\":{numbers.Request.Number},\"pageSize\":{numbers.Request.Size}");
        page.Append($",\"totalCount\":{numbers.Total},\"totalPages\":{numbers.Pages}");
        if (!isFirstVersion) page.Append($",\"hasPrevious\":{Word(numbers.HasPrevious)},\"hasNext\":{Word(numbers.HasNext)}");
        page.Append((byte)'}');
    }

    public static void Close(PooledBuffer page, int pageSize, Slice slice, string? next, string? previous)
    {
        CloseArray(page, slice);
        page.Append($",\"pageSize\":{pageSize},\"hasMore\":{Word(next is not null)}");
        page.Append($",\"nextCursor\":{Token(next)},\"prevCursor\":{Token(previous)}}}");
    }

    private static void CloseArray(PooledBuffer page, Slice slice)
    {
        if (slice.Count > 0) page.DropLast();
        page.Append((byte)']');
    }

    private static string Word(bool value) => value ? "true" : "false";

    private static string Token(string? token) => token is null ? "null" : $"\"{token}\"";
}
