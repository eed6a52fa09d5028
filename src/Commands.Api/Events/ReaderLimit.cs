using System.Threading.RateLimiting;
using ApexShop.Commands.Api.Commands;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Limits the responses that read any part of the log at a time: each keeps two pages of it in memory for as long as
/// its client takes to read them. Short responses and those of chosen aggregates are never refused: the Projector reads
/// the log in such, and readers that are slow must not stop it.
/// </summary>
internal sealed class ReaderLimit(IOptions<EventsOptions> options) : IDisposable
{
    /// <summary>The events of a short response; the Projector requests no more at a time.</summary>
    public const int ShortResponse = 1_000;

    private readonly ConcurrencyLimiter readers = new(new() { PermitLimit = options.Value.Readers });

    public static Problem Busy { get; } = new(
        StatusCodes.Status503ServiceUnavailable, "streams.busy", "The maximum number of streams is running.");

    /// <summary>Null when the response is not counted; otherwise a place, or none when all are taken.</summary>
    public RateLimitLease? Take(EventFilter filter, int limit) =>
        limit <= ShortResponse || filter.Aggregates is not null ? null : readers.AttemptAcquire();

    public void Dispose() => readers.Dispose();
}
