using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>
/// Stores what became of a batch in one transaction: the position of the webhook, and each event up to it that was not
/// delivered.
/// </summary>
internal sealed class DeliveryResults(NpgsqlDataSource database, IOptions<WebhookOptions> options)
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

    private const string ClaimedSql =
        """
        UPDATE shop.webhooks SET position = $3, failures = $4,
            failing_since = CASE WHEN $4 > 0 THEN coalesce(failing_since, clock_timestamp()) END,
            last_failure = CASE WHEN $4 > 0 THEN coalesce($5, last_failure) END,
            next_attempt_at = coalesce(clock_timestamp() + $6, next_attempt_at),
            claimed_until = clock_timestamp() + $7
        WHERE id = $1 AND claim = $2
        """;

    private const string DeliveredSql =
        "DELETE FROM shop.webhook_deliveries WHERE webhook_id = $1 AND position = ANY ($2)";

    private const string KeptSql =
        """
        INSERT INTO shop.webhook_deliveries (webhook_id, position, type, resource, aggregate_id, attempts)
        SELECT $1, position, type, resource, aggregate_id, 0 FROM shop.events WHERE position = ANY ($2)
        """;

    // A row that an operator has discarded meanwhile stays discarded.
    private const string FailedSql =
        """
        UPDATE shop.webhook_deliveries AS waiting SET attempts = failed.attempts, last_failure = failed.reason,
            failing_since = coalesce(failing_since, clock_timestamp()), next_attempt_at = clock_timestamp() + pause
        FROM unnest($2, $3, $4, $5) AS failed (position, attempts, reason, pause)
        WHERE webhook_id = $1 AND waiting.position = failed.position
        """;

    private const string ParkedSql =
        """
        UPDATE shop.webhook_deliveries SET parked_at = clock_timestamp(), next_attempt_at = NULL
        WHERE webhook_id = $1 AND position = ANY ($2) AND failing_since + $3 <= clock_timestamp()
        """;

    /// <summary>Returns the claim as it is now; null when another process has the webhook.</summary>
    public async Task<WebhookClaim?> SaveAsync(WebhookClaim claim, DeliveryBatch batch, bool continues)
    {
        var failures = batch.IsPaused ? claim.Failures + 1 : batch.IsAttempted ? 0 : claim.Failures;
        var saved = claim with { Position = batch.PositionAfter(claim.Position), Failures = failures };
        await using var connection = await database.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await using var claimed = Claimed(connection, saved, batch.Pause, continues);
        if (await claimed.ExecuteNonQueryAsync() == 0) return null;

        await using var changes = Changes(connection, saved, batch);
        await changes.ExecuteNonQueryAsync();
        await transaction.CommitAsync();
        return saved;
    }

    private NpgsqlCommand Claimed(
        NpgsqlConnection connection, WebhookClaim saved, AttemptOutcome? paused, bool continues)
    {
        var pause = paused is { RetryAfter: var asked } ? PauseOf(saved.Failures, asked) : (TimeSpan?)null;
        return new NpgsqlCommand(ClaimedSql, connection)
        {
            Parameters =
            {
                new() { Value = saved.Id }, new() { Value = saved.Number }, new() { Value = saved.Position },
                new() { Value = saved.Failures }, Nullable(paused?.Failure), Nullable(pause),
                new() { Value = continues ? WebhookClaims.Lifetime : TimeSpan.Zero },
            },
        };
    }

    private NpgsqlBatch Changes(NpgsqlConnection connection, WebhookClaim saved, DeliveryBatch batch)
    {
        var failed = batch.Failed;
        var positions = failed.Select(one => one.Entry.Position).ToArray();
        return new NpgsqlBatch(connection)
        {
            BatchCommands =
            {
                Statement(DeliveredSql, saved, batch.Delivered),
                Statement(KeptSql, saved, batch.KeptUpTo(saved.Position)),
                Statement(
                    FailedSql, saved, positions, failed.Select(one => one.Attempts + 1).ToArray(),
                    failed.Select(one => one.Outcome!.Value.Failure!).ToArray(), failed.Select(PauseOf).ToArray()),
                Statement(ParkedSql, saved, positions, options.Value.ParkAfter),
                Statement(ReleaseSql, saved),
            },
        };
    }

    // When the receiver is available again, its events are sent at once.
    private TimeSpan PauseOf(Delivery failed) =>
        failed.IsUnavailable ? TimeSpan.Zero : options.Value.PauseAfter(failed.Attempts + 1);

    private TimeSpan PauseOf(int failures, TimeSpan asked)
    {
        var own = options.Value.PauseAfter(failures);
        return asked > own ? TimeSpan.FromTicks(Math.Min(asked.Ticks, options.Value.LongestPause.Ticks)) : own;
    }

    private static NpgsqlBatchCommand Statement(string sql, WebhookClaim saved, params object[] values)
    {
        var statement = new NpgsqlBatchCommand(sql) { Parameters = { new() { Value = saved.Id } } };
        foreach (var value in values) statement.Parameters.Add(new NpgsqlParameter { Value = value });
        return statement;
    }

    private static NpgsqlParameter<T> Nullable<T>(T value) => new() { TypedValue = value };
}
