using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>
/// Claims webhooks for this process. A claim ends by the clock of the database, so that a process that hangs holds none
/// for long; when it continues, its claim has another number, and it changes nothing.
/// </summary>
internal sealed class WebhookClaims(
    NpgsqlDataSource database, WebhookSecrets secrets, TimeProvider clock, IOptions<WebhookOptions> options)
{
    /// <summary>How long a claim is valid; the attempts of a batch end long before.</summary>
    public static readonly TimeSpan Lifetime = TimeSpan.FromMinutes(1);

    private const string TakeSql =
        $"""
        WITH head AS (SELECT position FROM shop.log_positions WHERE name = 'head')
        UPDATE shop.webhooks SET claim = claim + 1, claimed_until = clock_timestamp() + $2
        WHERE id = (
            SELECT id FROM shop.webhooks AS due
            WHERE is_active AND key_id = $1
                -- No claim and no pause is that long: the clock was set back.
                AND (claimed_until <= clock_timestamp() OR claimed_until > clock_timestamp() + $2)
                AND (next_attempt_at <= clock_timestamp() OR next_attempt_at > clock_timestamp() + $4)
                AND (position < (SELECT position FROM head)
                        AND (SELECT count(*) FROM (
                            SELECT FROM shop.webhook_deliveries WHERE webhook_id = due.id LIMIT $3) AS kept) < $3
                    OR EXISTS (SELECT FROM shop.webhook_deliveries AS waiting
                        WHERE webhook_id = due.id AND (waiting.next_attempt_at <= clock_timestamp()
                            OR waiting.next_attempt_at > clock_timestamp() + $4)))
            ORDER BY claimed_until LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
        RETURNING {Receiver.Columns},
            types, position, (SELECT position FROM head), failures, claim, revision
        """;

    /// <summary>The webhook that has waited longest; null when none has anything to send.</summary>
    public async Task<WebhookClaim?> TakeAsync(CancellationToken ct)
    {
        var since = clock.GetTimestamp();
        await using var command = database.CreateCommand(TakeSql);
        command.Parameters.Add(new() { Value = secrets.KeyId });
        command.Parameters.Add(new() { Value = Lifetime });
        command.Parameters.Add(new() { Value = options.Value.WaitingEvents });
        command.Parameters.Add(new() { Value = options.Value.LongestPause });
        await using var row = await command.ExecuteReaderAsync(ct);
        if (!await row.ReadAsync(ct)) return null;
        return new(
            Receiver.Read(row), row.GetFieldValue<string[]>(4), row.GetInt64(5), row.GetInt64(6), row.GetInt32(7),
            row.GetInt64(8), row.GetInt64(9), since);
    }
}
