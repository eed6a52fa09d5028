using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Another process has taken the lead: a statement of an earlier term was refused.</summary>
internal sealed class LeaseLostException : Exception;

/// <summary>
/// The row that names the leader's session, its term, and when its lease ends by the clock of the database. Each
/// take-over starts a new term, and a leader's statement names its own: after a take-over it changes nothing.
/// </summary>
internal sealed class LeaderLease(IOptions<OutboxOptions> options, ILogger<LeaderLease> logger)
{
    /// <summary>
    /// Whether a row of shop.leader is held. The session of a process that stopped or was killed has ended; that of a
    /// process that hangs has not, and only its lease ends.
    /// </summary>
    public const string IsHeldSql =
        """
        (expires_at > clock_timestamp() AND EXISTS (
            SELECT FROM pg_stat_activity WHERE pid = holder AND backend_start = holder_since))
        """;

    /// <summary>
    /// This process has not reached the broker: it leads only until a process that has reached it takes over. A
    /// process must lead during an outage too, because events need positions without a broker.
    /// </summary>
    public bool IsOffered { get; set; }

    /// <summary>
    /// Takes the lead when no session holds it; when its leader offers it, only with <paramref name="reachesBroker"/>.
    /// Returns the term, or null, and whether the current leader offers it.
    /// </summary>
    public async Task<(long? Term, bool IsOffered)> TakeAsync(
        ILeaderConnection session, bool reachesBroker, CancellationToken ct)
    {
        if (reachesBroker) IsOffered = false;
        var taken = await session.TakeAsync(options.Value.Lease, IsOffered, reachesBroker, ct);
        if (taken.RenewedLogId is { } renewed) logger.LogIdentityRenewed(renewed);
        return (taken.Term, taken.IsOffered);
    }
}
