using Npgsql;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>The time for which a receiver was unavailable, in which no event fails by itself.</summary>
internal static class ReceiverOutage
{
    private const string ExcludeSql =
        """
        UPDATE shop.webhook_deliveries AS waiting
        SET failing_since = waiting.failing_since + (clock_timestamp() - webhook.failing_since)
        FROM shop.webhooks AS webhook
        WHERE webhook.id = $1 AND webhook.claim = $2 AND waiting.webhook_id = $1
            AND waiting.failing_since <= webhook.failing_since
        """;

    /// <summary>
    /// Excludes the outage that has ended from the time for which earlier events have failed. The webhook has its
    /// beginning until the outcome is stored.
    /// </summary>
    public static async Task ExcludeAsync(NpgsqlConnection connection, WebhookClaim claim)
    {
        await using var command = new NpgsqlCommand(ExcludeSql, connection);
        command.Parameters.Add(new() { Value = claim.Id });
        command.Parameters.Add(new() { Value = claim.Number });
        await command.ExecuteNonQueryAsync();
    }
}
