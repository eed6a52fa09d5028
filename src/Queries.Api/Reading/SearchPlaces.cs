using System.Threading.RateLimiting;
using ApexShop.Access;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// Gives each address without a key some of the connections of one kind, for each resource: however many searches it
/// sends, the others wait for one of them at most, or for the walks before theirs. Its own searches wait for each
/// other.
/// </summary>
/// <param name="most">Most searches of one address and resource at a time.</param>
internal sealed class SearchPlaces(int most) : IDisposable
{
    // More searches of one address are refused at once.
    private const int MostWaiting = 200;

    private readonly PartitionedRateLimiter<Search> callers = PartitionedRateLimiter.Create<Search, string>(
        search => CallerIdentity.HasKey(search.Http)
            ? RateLimitPartition.GetNoLimiter("")
            : RateLimitPartition.GetConcurrencyLimiter(
                $"{search.Resource} {CallerIdentity.Of(search.Http)}",
                _ => new() { PermitLimit = most, QueueLimit = MostWaiting }));

    private readonly record struct Search(HttpContext Http, string Resource);

    /// <summary>Half of a resource's connections, and at least one.</summary>
    public static SearchPlaces Half(int connections) => new(Math.Max(connections / 2, 1));

    /// <summary>For walks, which are short: as many as all connections of a resource but one read at a time.</summary>
    public static SearchPlaces OfWalks(int connections) => new(Math.Max(connections - 1, 1) * PageLoader.MostWalks);

    /// <summary>Takes a place until the result is disposed of.</summary>
    /// <exception cref="SearchBusyException">None was free in time.</exception>
    public async Task<IDisposable> TakeAsync(
        HttpContext http, ReadModel resource, TimeSpan longestWait, CancellationToken ct)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(longestWait);
        try
        {
            var place = await callers.AcquireAsync(new(http, resource.Name), 1, limit.Token);
            return place.IsAcquired ? place : throw new SearchBusyException();
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new SearchBusyException();
        }
    }

    public void Dispose() => callers.Dispose();
}
