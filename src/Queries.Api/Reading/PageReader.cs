using System.Globalization;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Reads the body and the Link header of a page.</summary>
internal interface IPageReader
{
    /// <summary>Numbered pages need the total of the list's documents.</summary>
    Task<PageResult> ReadAsync(PageRequest request, long total, CancellationToken ct);
}

/// <summary>A page; without a body when the position that the request names does not exist.</summary>
internal readonly record struct PageResult(long? Epoch, byte[]? Body = null, string? Link = null);

internal sealed class PageReader(
    ListReader lists, PageLoader pages, Cursors cursors, IOptions<ReadingOptions> options) : IPageReader
{
    public Task<PageResult> ReadAsync(PageRequest request, long total, CancellationToken ct) => request switch
    {
        NumberedPage numbered => NumberedAsync(numbered, total, ct),
        FacetPage facets => FacetsAsync(facets, ct),
        _ => AfterAsync((CursorPage)request, ct),
    };

    private async Task<PageResult> FacetsAsync(FacetPage request, CancellationToken ct) =>
        new(null, FacetWriter.Write(request.List.Resource, await lists.FacetsAsync(request.List, ct)));

    private async Task<PageResult> NumberedAsync(NumberedPage request, long total, CancellationToken ct)
    {
        var (list, size, links, number, isFirstVersion) = request;
        var lastPage = (total + size - 1) / size;
        using var page = PageWriter.Open();
        var range = request.Offset < total ? await lists.NumberedAsync(request, page, ct) : default;
        PageWriter.CloseArray(page, range);
        page.Append($",\"page\":{number},\"pageSize\":{size},\"totalCount\":{total},\"totalPages\":{lastPage}");
        var next = number < lastPage ? number + 1L : (long?)null;
        var previous = number > 1 ? Math.Clamp(lastPage, 1, number - 1) : (long?)null;
        if (!isFirstVersion)
        {
            page.Append($",\"hasPrevious\":{PageWriter.Boolean(previous is not null)}");
            page.Append($",\"hasNext\":{PageWriter.Boolean(next is not null)}");
        }

        page.Append((byte)'}');
        // A client that follows links does not end at a page that is refused.
        var isRefused = (request with { Number = number + 1 }).Skipped > options.Value.MaxOffset;
        var linked = isRefused ? null : next;
        return new(null, BodyOf(request, page), links.Header("page", Text(linked), "page", Text(previous)));
    }

    private async Task<PageResult> AfterAsync(CursorPage request, CancellationToken ct)
    {
        var (list, size, links, cursor, isBackwards, afterId) = request;
        var at = afterId is { } id ? await lists.PositionOfAsync(list, id, ct) : cursor?.At;
        if (afterId is not null && at is null) return default;

        var start = new ScanStart(at, isBackwards);
        using var read = request.IsNear
            ? await pages.ReadNearAsync(list, start, size, ct)
            : await pages.ReadAsync(list, start, size, ct);
        var (epoch, range, page) = read;
        if (cursor is { } given && given.Epoch != epoch) return new(epoch);

        var (next, previous) = CursorsAround(list, start, range, epoch);
        PageWriter.CloseArray(page, range);
        page.Append($",\"pageSize\":{size},\"hasMore\":{PageWriter.Boolean(next is not null)}");
        page.Append($",\"nextCursor\":{PageWriter.Token(next)},\"prevCursor\":{PageWriter.Token(previous)}}}");
        return new(epoch, BodyOf(request, page), links.Header("after", next, "before", previous));
    }

    // The extra row that was read shows whether there are more on one side. On the other side there are some, unless
    // they were deleted or the page begins the list.
    private (string? Next, string? Previous) CursorsAround(
        ListQuery list, ScanStart start, DocumentRange range, long epoch)
    {
        if (range.Count == 0) return (null, null);
        var (hasNext, hasPrevious) = start.IsBackwards
            ? (true, range.HasMore)
            : (range.HasMore, start.At is { Id: > 0 });
        return (
            hasNext ? cursors.Write(list, new Cursor(epoch, range.Last)) : null,
            hasPrevious ? cursors.Write(list, new Cursor(epoch, range.First)) : null);
    }

    private static byte[] BodyOf(PageRequest request, PooledBuffer page) =>
        request.Fields?.OfList(page.Written.Span) ?? page.Written.ToArray();

    private static string? Text(long? number) => number?.ToString(CultureInfo.InvariantCulture);
}
