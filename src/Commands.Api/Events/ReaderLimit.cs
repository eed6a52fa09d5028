using System.Security.Claims;
using System.Threading.RateLimiting;
using ApexShop.Commands.Api.Commands;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Limits the responses of the log at a time: each keeps two pages of it in memory for as long as its client takes to
/// read them. Those that read any part of the log share their places. Short responses and those of chosen aggregates
/// have places of their own for each key: the Projector reads the log in such responses, and slow readers with another
/// key must not stop it. Short compacted responses have fewer places, because each may read the whole log.
/// </summary>
internal sealed class ReaderLimit(IOptions<EventsOptions> options) : IDisposable
{
    /// <summary>The events of a short response; the Projector requests no more at a time.</summary>
    public const int ShortResponse = 1_000;

    /// <summary>Short responses, and those of chosen aggregates, of one key at a time.</summary>
    public const int ShortResponses = 64;

    /// <summary>Short compacted responses of one key at a time; a rebuild reads two.</summary>
    public const int CompactedResponses = 4;

    private readonly ConcurrencyLimiter readers = new(new() { PermitLimit = options.Value.Readers });
    private readonly PartitionedRateLimiter<string> shortPlaces = OfKeys(ShortResponses);
    private readonly PartitionedRateLimiter<string> compactedPlaces = OfKeys(CompactedResponses);

    public static Problem Busy { get; } = new(
        StatusCodes.Status503ServiceUnavailable, "streams.busy", "The maximum number of streams is running.");

    /// <summary>A place until it is disposed of; it is not acquired when all are taken.</summary>
    public RateLimitLease Take(ClaimsPrincipal caller, EventFilter filter, int limit, bool isCompacted)
    {
        var key = caller.Identity?.Name ?? "";
        if (filter.Aggregates is not null) return shortPlaces.AttemptAcquire(key);
        if (limit > ShortResponse) return readers.AttemptAcquire();
        return (isCompacted ? compactedPlaces : shortPlaces).AttemptAcquire(key);
    }

    public void Dispose()
    {
        readers.Dispose();
        shortPlaces.Dispose();
        compactedPlaces.Dispose();
    }

    private static PartitionedRateLimiter<string> OfKeys(int permits) => PartitionedRateLimiter.Create<string, string>(
        key => RateLimitPartition.GetConcurrencyLimiter(key, _ => new() { PermitLimit = permits }));
}
