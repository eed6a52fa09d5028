using ApexShop.Commands.Api.Webhooks.Delivering;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>Reads and writes webhooks for the operators.</summary>
internal sealed class WebhookTable(
    NpgsqlDataSource database, WebhookSecrets secrets, IOptions<WebhookOptions> options)
{
    /// <summary>Webhooks of a shop.</summary>
    public const int Max = 100;

    private const string ListSql =
        """
        SELECT id, url, description, types, is_active, key_id = $1, position,
            (SELECT position FROM shop.log_positions WHERE name = 'head') - position, waiting, parked,
            last_failure, failing_since, failures, next_attempt_at, created_at
        FROM shop.webhooks LEFT JOIN LATERAL (
            SELECT count(*) FILTER (WHERE parked_at IS NULL)::integer AS waiting, count(parked_at)::integer AS parked
            FROM shop.webhook_deliveries WHERE webhook_id = id) AS deliveries ON true
        WHERE $2 IS NULL OR id = $2 ORDER BY id
        """;

    // Two creations at the same time must count each other.
    private const string LockSql = "LOCK TABLE shop.webhooks IN SHARE ROW EXCLUSIVE MODE";

    private const string CreateSql =
        """
        INSERT INTO shop.webhooks (url, description, types, is_active, key_id, position)
        SELECT $1, $2, $3, $4, $5, coalesce($6, position) FROM shop.log_positions
        WHERE name = 'head' AND (SELECT count(*) FROM shop.webhooks) < $7
        RETURNING id, secret_id
        """;

    private const string ReplaceSql =
        """
        UPDATE shop.webhooks SET url = $2, description = $3, types = $4, is_active = $5, failures = 0,
            failing_since = NULL, last_failure = NULL, next_attempt_at = clock_timestamp(), revision = revision + 1
        WHERE id = $1
        """;

    public async Task<IReadOnlyList<WebhookView>> ListAsync(int? id, CancellationToken ct)
    {
        await using var command = database.CreateCommand(ListSql);
        command.Parameters.Add(new() { Value = secrets.KeyId });
        command.Parameters.Add(new NpgsqlParameter<int?> { TypedValue = id });
        await using var row = await command.ExecuteReaderAsync(ct);
        var webhooks = new List<WebhookView>();
        while (await row.ReadAsync(ct)) webhooks.Add(View(row));
        return webhooks;
    }

    /// <summary>The new webhook's secret; null when there are too many. Without a position it starts now.</summary>
    public async Task<WebhookSecret?> CreateAsync(WebhookInput.Body body, long? after, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(ct);
        await using var alone = new NpgsqlCommand(LockSql, connection);
        await alone.ExecuteNonQueryAsync(ct);
        await using var command = new NpgsqlCommand(CreateSql, connection)
        {
            Parameters =
            {
                new() { Value = body.Address }, new() { Value = body.Description ?? "" },
                new() { Value = body.Types ?? [] }, new() { Value = body.IsActive }, new() { Value = secrets.KeyId },
                new NpgsqlParameter<long?> { TypedValue = after }, new() { Value = Max },
            },
        };
        var created = await ReceiverTable.SecretAsync(command, secrets, ct);
        await transaction.CommitAsync(CancellationToken.None);
        return created;
    }

    /// <summary>False when there is no such webhook. A failing receiver is tried again at once.</summary>
    public async Task<bool> ReplaceAsync(int id, WebhookInput.Body body, CancellationToken ct)
    {
        await using var command = database.CreateCommand(ReplaceSql);
        command.Parameters.AddRange(new NpgsqlParameter[]
        {
            new() { Value = id }, new() { Value = body.Address }, new() { Value = body.Description ?? "" },
            new() { Value = body.Types ?? [] }, new() { Value = body.IsActive },
        });
        return await command.ExecuteNonQueryAsync(ct) > 0;
    }

    public async Task<bool> DeleteAsync(int id, CancellationToken ct)
    {
        await using var command = database.CreateCommand("DELETE FROM shop.webhooks WHERE id = $1");
        command.Parameters.Add(new() { Value = id });
        return await command.ExecuteNonQueryAsync(ct) > 0;
    }

    private WebhookView View(NpgsqlDataReader row)
    {
        var (isActive, isOwn, failures) = (row.GetBoolean(4), row.GetBoolean(5), row.GetInt32(12));
        var (waiting, parked) = (row.GetInt32(8), row.GetInt32(9));
        var state = (isOwn, isActive) switch
        {
            (false, _) => WebhookState.OtherKey,
            (_, false) => WebhookState.Inactive,
            _ when failures > 0 => WebhookState.Failing,
            _ when waiting + parked >= options.Value.WaitingEvents => WebhookState.Full,
            _ => WebhookState.Delivering,
        };
        return new(
            row.GetInt32(0), row.GetString(1), row.GetString(2), row.GetFieldValue<string[]>(3), isActive, state,
            row.GetInt64(6), row.GetInt64(7), waiting, parked, row.IsDBNull(10) ? null : row.GetString(10),
            row.GetFieldValue<DateTime?>(11),
            failures > 0 ? row.GetFieldValue<DateTime?>(13) : null, row.GetDateTime(14));
    }
}
