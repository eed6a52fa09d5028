using ApexShop.Commands.Api.Webhooks.Delivering;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>Where the events of a webhook are sent, which events those are, and the secrets that sign them.</summary>
internal sealed class ReceiverTable(NpgsqlDataSource database, WebhookSecrets secrets)
{
    private const string TypesSql =
        """
        SELECT CASE WHEN types = '{}' THEN types
            ELSE ARRAY(SELECT unnest(types) UNION SELECT type FROM shop.webhook_deliveries WHERE webhook_id = id) END
        FROM shop.webhooks WHERE id = $1
        """;

    private const string ReceiverSql =
        $"SELECT {Receiver.Columns} FROM shop.webhooks WHERE id = $1 AND key_id = $2";

    private const string RenewSql =
        """
        UPDATE shop.webhooks SET key_id = $2, secret_id = gen_random_uuid(),
            earlier_secret_id = CASE WHEN key_id = $2 THEN secret_id END,
            earlier_secret_until = clock_timestamp() + interval '1 day'
        WHERE id = $1 RETURNING id, secret_id
        """;

    /// <summary>
    /// The types of the events that it sends, also of those that wait; empty for all, null when there is no such
    /// webhook.
    /// </summary>
    public async Task<string[]?> TypesAsync(int id, CancellationToken ct)
    {
        await using var command = database.CreateCommand(TypesSql);
        command.Parameters.Add(new() { Value = id });
        return await command.ExecuteScalarAsync(ct) as string[];
    }

    /// <summary>Where its events are sent; null when it does not exist, or was made with another key.</summary>
    public async Task<Receiver?> ReceiverAsync(int id, CancellationToken ct)
    {
        await using var command = database.CreateCommand(ReceiverSql);
        command.Parameters.Add(new() { Value = id });
        command.Parameters.Add(new() { Value = secrets.KeyId });
        await using var row = await command.ExecuteReaderAsync(ct);
        return await row.ReadAsync(ct) ? Receiver.Read(row) : null;
    }

    /// <summary>
    /// A new secret; the earlier one signs too for a day. Null when there is no such webhook. Not cancelled when the
    /// caller disconnects.
    /// </summary>
    public async Task<WebhookSecret?> RenewSecretAsync(int id)
    {
        await using var command = database.CreateCommand(RenewSql);
        command.Parameters.Add(new() { Value = id });
        command.Parameters.Add(new() { Value = secrets.KeyId });
        return await SecretAsync(command, secrets, CancellationToken.None);
    }

    /// <summary>The id and the secret of the row that a statement returns.</summary>
    public static async Task<WebhookSecret?> SecretAsync(
        NpgsqlCommand command, WebhookSecrets secrets, CancellationToken ct)
    {
        await using var row = await command.ExecuteReaderAsync(ct);
        return await row.ReadAsync(ct) ? new(row.GetInt32(0), secrets.TextOf(row.GetGuid(1))) : null;
    }
}
