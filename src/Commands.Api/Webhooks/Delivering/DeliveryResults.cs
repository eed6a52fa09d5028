using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>
/// Stores the outcome of a batch in one transaction: the position of the webhook, and each event up to it that was not
/// delivered.
/// </summary>
internal sealed class DeliveryResults(
    NpgsqlDataSource database, TimeProvider clock, IOptions<WebhookOptions> options)
{
    /// <summary>The first event of each aggregate is due when those before it are delivered or discarded.</summary>
    public const string ReleaseSql =
        """
        UPDATE shop.webhook_deliveries AS waiting SET next_attempt_at = clock_timestamp()
        WHERE webhook_id = $1 AND next_attempt_at IS NULL AND parked_at IS NULL AND NOT EXISTS (
            SELECT FROM shop.webhook_deliveries AS earlier
            WHERE earlier.webhook_id = $1 AND earlier.resource = waiting.resource
                AND earlier.aggregate_id = waiting.aggregate_id AND earlier.position < waiting.position)
        """;

    // A change that an operator has made meanwhile replaces the failures before it, and ends the claim.
    private const string ClaimedSql =
        """
        UPDATE shop.webhooks SET position = greatest(position, $3),
            claimed_until = clock_timestamp() + CASE WHEN revision = $5 THEN $4 ELSE interval '0' END,
            failures = CASE WHEN revision = $5 THEN $6 ELSE failures END,
            failing_since = CASE WHEN revision <> $5 THEN failing_since
                WHEN $6 > 0 THEN coalesce(CASE WHEN NOT $9 THEN failing_since END, clock_timestamp()) END,
            last_failure = CASE WHEN revision <> $5 THEN last_failure WHEN $6 > 0 THEN coalesce($7, last_failure) END,
            next_attempt_at = CASE WHEN revision = $5 AND $8 IS NOT NULL THEN clock_timestamp() + $8
                ELSE next_attempt_at END
        WHERE id = $1 AND claim = $2
        RETURNING revision = $5
        """;

    private const string DeliveredSql =
        "DELETE FROM shop.webhook_deliveries WHERE webhook_id = $1 AND position = ANY ($2)";

    private const string KeptSql =
        """
        INSERT INTO shop.webhook_deliveries (webhook_id, position, type, resource, aggregate_id, attempts)
        SELECT $1, position, type, resource, aggregate_id, 0 FROM shop.events WHERE position = ANY ($2)
        ON CONFLICT DO NOTHING
        """;

    // A row that an operator has discarded meanwhile stays discarded.
    private const string FailedSql =
        """
        UPDATE shop.webhook_deliveries AS waiting SET attempts = failed.attempts, last_failure = failed.reason,
            failing_since = CASE WHEN is_refused THEN coalesce(failing_since, clock_timestamp()) ELSE failing_since END,
            next_attempt_at = clock_timestamp() + pause
        FROM unnest($2, $3, $4, $5, $6) AS failed (position, attempts, reason, pause, is_refused)
        WHERE webhook_id = $1 AND waiting.position = failed.position
        """;

    // An outage of the receiver parks nothing: only an event that failed while others were delivered, or was refused.
    private const string ParkedSql =
        """
        UPDATE shop.webhook_deliveries AS waiting SET parked_at = clock_timestamp(), next_attempt_at = NULL
        FROM shop.webhooks AS webhook
        WHERE webhook_id = $1 AND webhook.id = $1 AND waiting.position = ANY ($2)
            AND waiting.failing_since + $3 <= clock_timestamp()
            AND (webhook.failing_since IS NULL OR webhook.failing_since > waiting.failing_since)
        """;

    /// <summary>Returns the claim as it continues; null when it ends, or another process has the webhook.</summary>
    public async Task<WebhookClaim?> SaveAsync(WebhookClaim claim, DeliveryBatch batch, bool continues)
    {
        var since = clock.GetTimestamp();
        var saved = claim with
        {
            Position = batch.PositionAfter(claim.Position), Failures = batch.FailuresAfter(claim.Failures),
            Since = since,
        };
        await using var connection = await database.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await using var claimed = Claimed(connection, saved, batch, continues);
        if (claim.Failures > 0 && batch.HasResponse) await ReceiverOutage.EndAsync(connection, saved);
        if (await claimed.ExecuteScalarAsync() is not bool isUnchanged) return null;

        await using var changes = Changes(connection, claim, saved, batch, isUnchanged ? batch.Failed : []);
        await changes.ExecuteNonQueryAsync();
        await transaction.CommitAsync();
        return continues && isUnchanged ? saved : null;
    }

    private NpgsqlCommand Claimed(NpgsqlConnection connection, WebhookClaim saved, DeliveryBatch batch, bool continues)
    {
        // A webhook that had nothing to send is not claimed again at once.
        var idlePause = batch.IsAttempted ? TimeSpan.Zero : options.Value.PollInterval;
        return new NpgsqlCommand(ClaimedSql, connection)
        {
            Parameters =
            {
                new() { Value = saved.Id }, new() { Value = saved.Number }, new() { Value = saved.Position },
                new() { Value = continues ? WebhookClaims.Lifetime : idlePause },
                new() { Value = saved.Revision }, new() { Value = saved.Failures }, Nullable(batch.Pause?.Failure),
                Nullable(batch.Pause is { RetryAfter: var pause } ? PauseOf(saved.Failures, pause) : (TimeSpan?)null),
                new() { Value = batch.HasResponse },
            },
        };
    }

    private NpgsqlBatch Changes(
        NpgsqlConnection connection, WebhookClaim claim, WebhookClaim saved, DeliveryBatch batch,
        IReadOnlyList<Delivery> failed)
    {
        var positions = failed.Select(one => one.Entry.Position).ToArray();
        var isRefused = failed.Select(one => batch.IsRefused(one, claim.Failures)).ToArray();
        // Each event that failed has a pause of its own, so that the webhook need not pause for it again and again.
        var pauses = failed.Zip(isRefused, (one, refused) =>
            PauseOf(one.Attempts + 1, refused ? TimeSpan.Zero : one.Outcome!.Value.RetryAfter)).ToArray();
        return new NpgsqlBatch(connection)
        {
            BatchCommands =
            {
                Statement(DeliveredSql, saved, batch.Delivered),
                Statement(KeptSql, saved, batch.KeptUpTo(saved.Position)),
                Statement(
                    FailedSql, saved, positions, failed.Select(one => one.Attempts + 1).ToArray(),
                    failed.Select(one => one.Outcome!.Value.Failure!).ToArray(), pauses, isRefused),
                Statement(
                    ParkedSql, saved, positions.Where((_, at) => isRefused[at]).ToArray(), options.Value.ParkAfter),
                Statement(ReleaseSql, saved),
            },
        };
    }

    private TimeSpan PauseOf(int failures, TimeSpan retryAfter) => retryAfter > TimeSpan.Zero
        ? TimeSpan.FromTicks(Math.Min(retryAfter.Ticks, options.Value.LongestPause.Ticks))
        : options.Value.PauseAfter(failures);

    private static NpgsqlBatchCommand Statement(string sql, WebhookClaim saved, params object[] values)
    {
        var statement = new NpgsqlBatchCommand(sql) { Parameters = { new() { Value = saved.Id } } };
        foreach (var value in values) statement.Parameters.Add(new NpgsqlParameter { Value = value });
        return statement;
    }

    private static NpgsqlParameter<T> Nullable<T>(T value) => new() { TypedValue = value };
}
