using System.Security.Claims;
using System.Threading.RateLimiting;
using ApexShop.Commands.Api.Commands;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Limits the responses of the log at a time: each keeps two pages of it in memory for as long as its client takes to
/// read them. Those that read any part of the log share their places. Short responses and those of chosen aggregates
/// have places of their own for each key: the Projector reads the log in such responses, and slow readers with another
/// key must not stop it.
/// </summary>
internal sealed class ReaderLimit(IOptions<EventsOptions> options) : IDisposable
{
    /// <summary>The events of a short response; the Projector requests no more at a time.</summary>
    public const int ShortResponse = 1_000;

    /// <summary>Short responses, and those of chosen aggregates, of one key at a time.</summary>
    public const int ShortResponses = 64;

    private readonly ConcurrencyLimiter readers = new(new() { PermitLimit = options.Value.Readers });

    private readonly PartitionedRateLimiter<string> ofKeys = PartitionedRateLimiter.Create<string, string>(
        key => RateLimitPartition.GetConcurrencyLimiter(key, _ => new() { PermitLimit = ShortResponses }));

    public static Problem Busy { get; } = new(
        StatusCodes.Status503ServiceUnavailable, "streams.busy", "The maximum number of streams is running.");

    /// <summary>A place until it is disposed of; it is not acquired when all are taken.</summary>
    public RateLimitLease Take(ClaimsPrincipal caller, EventFilter filter, int limit) =>
        limit <= ShortResponse || filter.Aggregates is not null
            ? ofKeys.AttemptAcquire(caller.Identity?.Name ?? "")
            : readers.AttemptAcquire();

    public void Dispose()
    {
        readers.Dispose();
        ofKeys.Dispose();
    }
}
