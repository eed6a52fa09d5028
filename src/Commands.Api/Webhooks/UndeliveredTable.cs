using System.Globalization;
using ApexShop.Commands.Api.Webhooks.Delivering;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>Reads, replays and discards the events of a webhook that were not delivered.</summary>
internal sealed class UndeliveredTable(NpgsqlDataSource database)
{
    private const string ListSql =
        """
        SELECT position, type, resource, aggregate_id, attempts, last_failure, failing_since, next_attempt_at, parked_at
        FROM shop.webhook_deliveries WHERE webhook_id = $1 AND position > $2 ORDER BY position LIMIT $3
        """;

    // What waits behind an earlier event stays behind it.
    private const string ReplaySql =
        """
        UPDATE shop.webhook_deliveries SET parked_at = NULL, failing_since = NULL, attempts = 0, last_failure = NULL,
            next_attempt_at = NULL
        WHERE webhook_id = $1 AND ($2 IS NULL OR position = $2) AND (parked_at IS NOT NULL OR attempts > 0)
        """;

    private const string DiscardSql = "DELETE FROM shop.webhook_deliveries WHERE webhook_id = $1 AND position = $2";

    private const string ResumeSql =
        """
        UPDATE shop.webhooks SET failures = 0, failing_since = NULL, last_failure = NULL,
            next_attempt_at = clock_timestamp(), revision = revision + 1
        WHERE id = $1
        """;

    public async Task<UndeliveredList> ListAsync(int webhookId, long after, int limit, CancellationToken ct)
    {
        await using var command = database.CreateCommand(ListSql);
        command.Parameters.Add(new() { Value = webhookId });
        command.Parameters.Add(new() { Value = after });
        command.Parameters.Add(new() { Value = limit + 1 });
        await using var row = await command.ExecuteReaderAsync(ct);
        var items = new List<UndeliveredEvent>();
        while (await row.ReadAsync(ct)) items.Add(Event(row));
        if (items.Count <= limit) return new(items, null);
        items.RemoveAt(limit);
        return new(items, items[^1].Position);
    }

    /// <summary>
    /// Makes one event due, or all, and ends the pause of the webhook. Returns how many; null when there is no such
    /// webhook.
    /// </summary>
    public Task<int?> ReplayAsync(int webhookId, long? position, CancellationToken ct) =>
        ChangeAsync(ReplaySql, webhookId, position, ct);

    /// <summary>
    /// Deletes one event; the next one of its aggregate is due then. Returns the same; without such an event nothing
    /// changes.
    /// </summary>
    public Task<int?> DiscardAsync(int webhookId, long position, CancellationToken ct) =>
        ChangeAsync(DiscardSql, webhookId, position, ct);

    private async Task<int?> ChangeAsync(string sql, int webhookId, long? position, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(ct);
        // First: a run of the webhook locks it before its events, too.
        if (await ExecuteAsync(ResumeSql) == 0) return null;
        await using var change = new NpgsqlCommand(sql, connection)
        {
            Parameters = { new() { Value = webhookId }, new NpgsqlParameter<long?> { TypedValue = position } },
        };
        var count = await change.ExecuteNonQueryAsync(ct);
        if (count == 0 && sql == DiscardSql) return 0;
        await ExecuteAsync(ReceiverOutage.ForgetSql);
        await ExecuteAsync(DeliveryResults.ReleaseSql);
        await transaction.CommitAsync(CancellationToken.None);
        return count;

        async Task<int> ExecuteAsync(string statement)
        {
            await using var command = new NpgsqlCommand(statement, connection);
            command.Parameters.Add(new() { Value = webhookId });
            return await command.ExecuteNonQueryAsync(ct);
        }
    }

    private static UndeliveredEvent Event(NpgsqlDataReader row) => new(
        row.GetInt64(0),
        row.GetString(1),
        string.Create(CultureInfo.InvariantCulture, $"{row.GetString(2)}/{row.GetInt32(3)}"),
        row.GetInt32(4),
        row.IsDBNull(5) ? null : row.GetString(5),
        row.GetFieldValue<DateTime?>(6),
        row.GetFieldValue<DateTime?>(7),
        row.GetFieldValue<DateTime?>(8));
}
