using Npgsql;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>The time for which a receiver was unavailable; a failure in it does not count against the event.</summary>
internal static class ReceiverOutage
{
    /// <summary>
    /// An operator ends the outage: the events that failed only during it are due now, and their attempts count from 0
    /// again, because the receiver may have a new address.
    /// </summary>
    public const string ForgetSql =
        """
        UPDATE shop.webhook_deliveries SET attempts = 0, last_failure = NULL, next_attempt_at = clock_timestamp()
        WHERE webhook_id = $1 AND attempts > 0 AND failing_since IS NULL
        """;

    // Before its events: an operator locks the webhook first, too.
    private const string LockSql = "SELECT FROM shop.webhooks WHERE id = $1 FOR NO KEY UPDATE";

    private const string ExcludeSql =
        """
        UPDATE shop.webhook_deliveries AS waiting
        SET failing_since = waiting.failing_since
            + (clock_timestamp() - greatest(waiting.failing_since, webhook.failing_since))
        FROM shop.webhooks AS webhook
        WHERE webhook.id = $1 AND webhook.failing_since IS NOT NULL
            AND waiting.webhook_id = $1 AND waiting.failing_since IS NOT NULL AND waiting.parked_at IS NULL
        """;

    private const string DueSql =
        """
        UPDATE shop.webhook_deliveries SET next_attempt_at = clock_timestamp()
        WHERE webhook_id = $1 AND attempts > 0 AND failing_since IS NULL AND next_attempt_at > clock_timestamp()
        """;

    /// <summary>
    /// The receiver has responded: the outage is excluded from the time for which earlier events have failed, and those
    /// that failed in it only are due. The row of the webhook has its beginning until the outcome is stored.
    /// </summary>
    public static async Task EndAsync(NpgsqlConnection connection, WebhookClaim claim)
    {
        await using var end = new NpgsqlBatch(connection);
        foreach (var sql in (string[])[LockSql, ExcludeSql, DueSql])
            end.BatchCommands.Add(new(sql) { Parameters = { new() { Value = claim.Id } } });
        await end.ExecuteNonQueryAsync();
    }
}
