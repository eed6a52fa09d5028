using System.Globalization;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Events;

/// <summary>A response that must have all events would lack some that were removed.</summary>
internal sealed class EventsRemovedException(long upTo) : Exception
{
    /// <summary>The position of the last event that was removed.</summary>
    public long UpTo => upTo;
}

/// <summary>
/// Refuses a position after which events were removed from the log; see <see cref="EventsOptions.KeepDays"/>.
/// </summary>
internal static class RemovedEvents
{
    public const string Code = "events.removed";

    /// <summary>Null when the response has all events of the range, or need not.</summary>
    public static async Task<Problem?> FindAsync(
        EventLogReader log, EventRange range, long after, CancellationToken ct) =>
        range.IsWhole && await log.RemovedUpToAsync(range.Filter, ct) is var removed && removed > after
            ? Refusal(after, removed)
            : null;

    public static Problem Refusal(long after, long upTo) => new(
        StatusCodes.Status410Gone,
        Code,
        string.Create(
            CultureInfo.InvariantCulture,
            $"Old events after {after} were removed from the log, up to {upTo}. Later events replace them: a client "
            + $"that needs the last state of each aggregate continues with incomplete=true."))
    {
        Extensions = { ["removedUpTo"] = upTo },
    };
}
