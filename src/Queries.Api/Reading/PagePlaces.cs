using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Reading;

/// <summary>The places for pages that are searches, walks or deep, and for other searches.</summary>
internal sealed class PagePlaces(IOptions<ReadingOptions> reading) : IDisposable
{
    private readonly TimeSpan longestWait = TimeSpan.FromSeconds(reading.Value.WaitSeconds);
    private readonly SearchPlaces searches = SearchPlaces.Half(reading.Value.SearchConnections);
    private readonly SearchPlaces walks = SearchPlaces.OfWalks(reading.Value.WalkConnections);
    private readonly SearchPlaces deep = SearchPlaces.Half(reading.Value.DeepPageConnections);
    private readonly SearchPlaces facets = new(1);

    /// <summary>
    /// Reads a page that is in no memory, a walk first near its start; a search, a walk or a deep page of an address
    /// without a key waits for a place.
    /// </summary>
    public async Task<T> ReadAsync<T>(HttpContext http, PageRequest page, Func<PageRequest, Task<T>> read)
    {
        var resource = page.List.Resource;
        if (page is CursorPage { List.IsWalk: true })
        {
            try
            {
                // One whose client has left frees its place at once: round trips are few, and its walk is skipped in
                // those that have not begun.
                using var place = await walks.TakeAsync(http, resource, longestWait, http.RequestAborted);
                return await read(page with { IsNear = true });
            }
            catch (WalkTooShortException)
            {
                // It is read as a search.
            }
        }

        return page switch
        {
            FacetPage => await RunAsync(facets, http, resource, () => SearchAsync(http, resource, () => read(page))),
            // Its total comes from a count, which runs on the connections of searches.
            NumberedPage when page.List.SegmentCounts() is null =>
                await SearchAsync(http, resource, () => read(page)),
            NumberedPage { List.IsShortScan: true, IsDeep: true } =>
                await RunAsync(deep, http, resource, () => read(page)),
            _ => page.List.IsShortScan ? await read(page) : await SearchAsync(http, resource, () => read(page)),
        };
    }

    /// <summary>Runs a search of a resource; that of an address without a key waits for a place.</summary>
    public Task<T> SearchAsync<T>(HttpContext http, ReadModel resource, Func<Task<T>> search) =>
        RunAsync(searches, http, resource, search);

    private async Task<T> RunAsync<T>(SearchPlaces places, HttpContext http, ReadModel resource, Func<Task<T>> read)
    {
        var place = await places.TakeAsync(http, resource, longestWait, http.RequestAborted);
        try
        {
            return await read();
        }
        finally
        {
            // A statement whose client has left runs a little longer.
            if (http.RequestAborted.IsCancellationRequested) _ = ReleaseLaterAsync(place);
            else place.Dispose();
        }
    }

    public void Dispose()
    {
        searches.Dispose();
        walks.Dispose();
        deep.Dispose();
        facets.Dispose();
    }

    private static async Task ReleaseLaterAsync(IDisposable place)
    {
        await Task.Delay(2 * DelayedCancellation.UsualDelay);
        place.Dispose();
    }
}
