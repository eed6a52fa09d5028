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

    public static void Close(PooledBuffer page, PageRequest request, long total, Slice slice)
    {
        var pages = (total + request.Size - 1) / request.Size;
        CloseArray(page, slice);
        page.Append($",\"page\":{request.Number},\"pageSize\":{request.Size}");
        page.Append($",\"totalCount\":{total},\"totalPages\":{pages}");
        page.Append($",\"hasPrevious\":{Word(request.Number > 1)},\"hasNext\":{Word(request.Number < pages)}}}");
    }

    public static void Close(PooledBuffer page, int pageSize, Slice slice, string? nextCursor)
    {
        CloseArray(page, slice);
        var cursor = nextCursor is null ? "null" : $"\"{nextCursor}\"";
        page.Append($",\"pageSize\":{pageSize},\"hasMore\":{Word(slice.HasMore)},\"nextCursor\":{cursor}}}");
    }

    private static void CloseArray(PooledBuffer page, Slice slice)
    {
        if (slice.Count > 0) page.DropLast();
        page.Append((byte)']');
    }

    private static string Word(bool value) => value ? "true" : "false";
}
