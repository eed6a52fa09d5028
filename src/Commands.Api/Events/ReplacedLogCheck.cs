using System.Globalization;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// Refuses a position of a log that this one has replaced: after a restore or a promotion, positions after the last
/// common event are given to other events.
/// </summary>
internal static class ReplacedLogCheck
{
    /// <summary>Null when the client can continue after its position.</summary>
    public static async Task<Problem?> FindAsync(
        EventLogReader log, LogHead head, string? logId, long after, CancellationToken ct)
    {
        // At the beginning a client has no event that this log might lack.
        if (logId is null || logId == head.LogId || after == 0) return null;
        var common = await log.CommonWithAsync(logId, ct) ?? 0;
        return after <= common ? null : Refusal(head, logId, after, common);
    }

    private static Problem Refusal(LogHead head, string logId, long after, long common) => new(
        StatusCodes.Status410Gone,
        "log.replaced",
        string.Create(
            CultureInfo.InvariantCulture,
            $"The log {logId} was replaced by the log {head.LogId}, which has its events up to {common}, not up to "
            + $"{after}. Discard what was made from it, and read GET /events?compacted=true from the beginning."))
    {
        Extensions = { ["logId"] = head.LogId, ["commonUpTo"] = common, ["head"] = head.Position },
    };
}
