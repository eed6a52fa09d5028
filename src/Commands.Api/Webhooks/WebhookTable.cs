using System.Globalization;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Events;
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
        SELECT id, url, description, types, is_active, key_id = $1, webhook.position,
            head.position - webhook.position, waiting, parked, last_failure, failing_since, failures,
            greatest(next_attempt_at, CASE WHEN webhook.position = head.position THEN due END), created_at,
            is_refused
        FROM shop.webhooks AS webhook JOIN shop.log_positions AS head ON head.name = 'head' CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE parked_at IS NULL)::integer AS waiting, count(parked_at)::integer AS parked,
                min(next_attempt_at) AS due,
                count(failing_since) FILTER (WHERE parked_at IS NULL) > 0 AS is_refused
            FROM shop.webhook_deliveries WHERE webhook_id = id) AS deliveries
        WHERE $2 IS NULL OR id = $2 ORDER BY id
        """;

    // Two creations at the same time must count each other.
    private const string LockSql = "LOCK TABLE shop.webhooks IN SHARE ROW EXCLUSIVE MODE";

    // A removal of old events holds this row before it reads the positions of the webhooks. A removal that has begun
    // ends first, and what it removed is seen; no other removal begins before the new webhook exists.
    private const string StopRemovalsSql = $"{LockSql}; SELECT FROM shop.log_compaction FOR SHARE";

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

    private static readonly Problem tooMany = Problem.Conflict(
        "webhook.too_many", string.Create(CultureInfo.InvariantCulture, $"A shop has at most {Max} webhooks."));

    private static readonly Problem removed =
        Problem.Invalid("position", "Events after this position were removed from the log.");

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

    /// <summary>
    /// The new webhook's secret. Without a position it starts now; otherwise all events after the position are there.
    /// </summary>
    public async Task<Result<WebhookSecret>> CreateAsync(WebhookInput.Body body, long? after, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(ct);
        await using var locks = new NpgsqlCommand(after is null ? LockSql : StopRemovalsSql, connection);
        await locks.ExecuteNonQueryAsync(ct);
        if (after is not null && after < await RemovedUpToAsync(connection, body, ct)) return removed;
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
        return created is null ? tooMany : created;
    }

    /// <summary>
    /// False when there is no such webhook. A failing receiver is tried again at once. As every change it is not
    /// cancelled when the caller disconnects (<see cref="Persistence.ShopTransaction.CommitAsync"/>).
    /// </summary>
    public async Task<bool> ReplaceAsync(int id, WebhookInput.Body body)
    {
        await using var batch = database.CreateBatch();
        var replace = new NpgsqlBatchCommand(ReplaceSql)
        {
            Parameters =
            {
                new() { Value = id }, new() { Value = body.Address }, new() { Value = body.Description ?? "" },
                new() { Value = body.Types ?? [] }, new() { Value = body.IsActive },
            },
        };
        batch.BatchCommands.Add(replace);
        batch.BatchCommands.Add(new(ReceiverOutage.ForgetSql) { Parameters = { new() { Value = id } } });
        await batch.ExecuteNonQueryAsync(CancellationToken.None);
        return replace.RecordsAffected > 0;
    }

    public async Task<bool> DeleteAsync(int id)
    {
        await using var command = database.CreateCommand("DELETE FROM shop.webhooks WHERE id = $1");
        command.Parameters.Add(new() { Value = id });
        return await command.ExecuteNonQueryAsync(CancellationToken.None) > 0;
    }

    private static async Task<long> RemovedUpToAsync(
        NpgsqlConnection connection, WebhookInput.Body body, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(EventLogSql.RemovedUpTo, connection);
        command.Parameters.Add(new() { Value = WebhookInput.Filter(body.Types).SelectedTypes });
        return (long)(await command.ExecuteScalarAsync(ct))!;
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
            _ when row.GetBoolean(15) => WebhookState.Refusing,
            _ => WebhookState.Delivering,
        };
        return new(
            row.GetInt32(0), row.GetString(1), row.GetString(2), row.GetFieldValue<string[]>(3), isActive, state,
            row.GetInt64(6), row.GetInt64(7), waiting, parked, row.IsDBNull(10) ? null : row.GetString(10),
            row.GetFieldValue<DateTime?>(11),
            failures > 0 ? row.GetFieldValue<DateTime?>(13) : null, row.GetDateTime(14));
    }
}
