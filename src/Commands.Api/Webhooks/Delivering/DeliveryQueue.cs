using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Outbox;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>Reads what a webhook has to send: failed deliveries that are due, and the log after its position.</summary>
internal sealed class DeliveryQueue(
    NpgsqlDataSource database, EventLogReader log, IOptions<WebhookOptions> options)
{
    /// <summary>Events of one batch; after a crash so many may be sent again.</summary>
    private const int BatchSize = 100;

    private const string WaitingSql =
        $"""
        SELECT entry.position, previous, event_id, entry.type, entry.resource, entry.aggregate_id, time, trace_parent,
            data, actor, {EventLog.IdentitySql}, waiting.attempts
        FROM shop.webhook_deliveries AS waiting JOIN shop.events AS entry USING (position)
        WHERE webhook_id = $1
            -- No pause is that long: the clock was set back.
            AND (next_attempt_at <= clock_timestamp() OR next_attempt_at > clock_timestamp() + $3)
        ORDER BY waiting.attempts, position LIMIT $2
        """;

    private const string BlockedSql =
        """
        SELECT resource, aggregate_id, count(*), count(*) FILTER (WHERE attempts > 0 AND parked_at IS NULL)
        FROM shop.webhook_deliveries WHERE webhook_id = $1 GROUP BY 1, 2
        """;

    public async Task<DeliveryBatch> ReadAsync(WebhookClaim claim, CancellationToken ct)
    {
        var (blocked, count, failing) = await BlockedAsync(claim.Id, ct);
        var waiting = await WaitingAsync(claim.Id, ct);
        var room = Math.Min(BatchSize, options.Value.WaitingEvents - count);
        if (room <= 0) return new(waiting, [], blocked, failing, claim.Position);
        var page = await log.ReadAsync(claim.Unread, claim.Position, (int)room, ct);
        var unread = page.Entries.ConvertAll(entry => new Delivery(entry, attempts: 0));
        var end = Math.Max(claim.Position, page.IsLast ? claim.Head : page.LastPosition);
        return new(waiting, unread, blocked, failing, end);
    }

    /// <summary>
    /// Whether the webhook is active and as it was when it was claimed, and the claim still valid: no clock of this
    /// process goes on while its machine is suspended.
    /// </summary>
    public async Task<bool> IsCurrentAsync(WebhookClaim claim, CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            """
            SELECT EXISTS (SELECT FROM shop.webhooks
                WHERE id = $1 AND revision = $2 AND is_active AND claim = $3 AND claimed_until > clock_timestamp())
            """);
        command.Parameters.Add(new() { Value = claim.Id });
        command.Parameters.Add(new() { Value = claim.Revision });
        command.Parameters.Add(new() { Value = claim.Number });
        return (bool)(await command.ExecuteScalarAsync(ct))!;
    }

    private async Task<(HashSet<Subject> Aggregates, long Count, int Failing)> BlockedAsync(
        int webhookId, CancellationToken ct)
    {
        await using var command = database.CreateCommand(BlockedSql);
        command.Parameters.Add(new() { Value = webhookId });
        await using var row = await command.ExecuteReaderAsync(ct);
        var (aggregates, count, failing) = (new HashSet<Subject>(), 0L, 0);
        while (await row.ReadAsync(ct))
        {
            aggregates.Add(new Subject(row.GetString(0), row.GetInt32(1)));
            count += row.GetInt64(2);
            failing += (int)row.GetInt64(3);
        }

        return (aggregates, count, failing);
    }

    private async Task<List<Delivery>> WaitingAsync(int webhookId, CancellationToken ct)
    {
        await using var command = database.CreateCommand(WaitingSql);
        command.Parameters.Add(new() { Value = webhookId });
        command.Parameters.Add(new() { Value = BatchSize });
        command.Parameters.Add(new() { Value = options.Value.LongestPause });
        await using var row = await command.ExecuteReaderAsync(ct);
        var waiting = new List<Delivery>();
        while (await row.ReadAsync(ct)) waiting.Add(new Delivery(EventLog.Entry(row), row.GetInt32(11)));
        return waiting;
    }
}
