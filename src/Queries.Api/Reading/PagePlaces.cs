using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Reading;

/// <summary>The places for the pages that are searches or walks.</summary>
internal sealed class PagePlaces(IOptions<ReadingOptions> reading) : IDisposable
{
    private readonly TimeSpan longestWait = TimeSpan.FromSeconds(reading.Value.WaitSeconds);
    private readonly SearchPlaces searches = new(reading.Value.SearchConnections);
    private readonly SearchPlaces facets = new(1);

    /// <summary>Reads a page that is in no memory; a search of an address without a key waits for a place.</summary>
    public async Task<T> RunAsync<T>(HttpContext http, PageRequest page, Func<Task<T>> read)
    {
        if (PlacesOf(page) is not { } places) return await read();
        using var place = await places.TakeAsync(http, page.List.Resource, longestWait, http.RequestAborted);
        return await read();
    }

    public void Dispose()
    {
        searches.Dispose();
        facets.Dispose();
    }

    private SearchPlaces? PlacesOf(PageRequest page) => page switch
    {
        FacetPage => facets,
        // Its documents are counted.
        NumberedPage when page.List.SegmentCounts() is null => searches,
        // A walk may continue as a search.
        _ => page.List.IsShortScan ? null : searches,
    };
}
