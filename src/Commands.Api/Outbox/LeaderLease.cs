using Microsoft.Extensions.Options;
using Npgsql;

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
    /// Of a row of shop.leader. The session of a process that stopped or was killed has ended; that of a process that
    /// hangs has not, and only its lease ends.
    /// </summary>
    public const string IsHeldSql =
        """
        (expires_at > clock_timestamp() AND EXISTS (
            SELECT FROM pg_stat_activity WHERE pid = holder AND backend_start = holder_since))
        """;

    // Every server that ends a leader's session makes the next one take the lead: a log that was restored elsewhere, or
    // is at a promoted replica, has another identity before it has another event.
    private const string TakeSql =
        $"""
        WITH taken AS (
            UPDATE shop.leader SET term = term + 1, holder = pg_backend_pid(), expires_at = clock_timestamp() + $1,
                holder_since = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()),
                is_offered = $2
            WHERE NOT {IsHeldSql} OR (is_offered AND $3)
            RETURNING term
        )
        SELECT (SELECT term FROM taken), (SELECT is_offered FROM shop.leader),
            (SELECT shop.renew_log_identity(is_certain => false) FROM taken)
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
        NpgsqlConnection connection, bool reachesBroker, CancellationToken ct)
    {
        if (reachesBroker) IsOffered = false;
        await using var command = new NpgsqlCommand(TakeSql, connection);
        command.Parameters.Add(new NpgsqlParameter<TimeSpan> { TypedValue = options.Value.Lease });
        command.Parameters.Add(new NpgsqlParameter<bool> { TypedValue = IsOffered });
        command.Parameters.Add(new NpgsqlParameter<bool> { TypedValue = reachesBroker });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        if (!row.IsDBNull(2)) logger.LogIdentityRenewed(row.GetString(2));
        return (row.IsDBNull(0) ? null : row.GetInt64(0), row.GetBoolean(1));
    }
}
