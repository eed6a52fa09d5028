using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Reading;

/// <summary>The places for pages that are searches or walks, and for other searches.</summary>
internal sealed class PagePlaces(IOptions<ReadingOptions> reading) : IDisposable
{
    private readonly TimeSpan longestWait = TimeSpan.FromSeconds(reading.Value.WaitSeconds);
    private readonly SearchPlaces searches = new(reading.Value.SearchConnections);
    private readonly SearchPlaces facets = new(1);

    /// <summary>Reads a page that is in no memory; a search of an address without a key waits for a place.</summary>
    public Task<T> RunAsync<T>(HttpContext http, PageRequest page, Func<Task<T>> read) => page switch
    {
        FacetPage => RunAsync(facets, http, page.List.Resource, () => SearchAsync(http, page.List.Resource, read)),
        // Its total comes from a count, which runs on the connections of searches.
        NumberedPage when page.List.SegmentCounts() is null => SearchAsync(http, page.List.Resource, read),
        // A walk that does not fill the page is read again as a search.
        _ => page.List.IsShortScan ? read() : SearchAsync(http, page.List.Resource, read),
    };

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
        facets.Dispose();
    }

    private static async Task ReleaseLaterAsync(IDisposable place)
    {
        await Task.Delay(2 * DelayedCancellation.UsualDelay);
        place.Dispose();
    }
}
