using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;
using ApexShop.Commands.Api.Webhooks.Delivering;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>What the webhooks do not deliver.</summary>
/// <param name="Parked">The events that are parked.</param>
/// <param name="FailingSeconds">How long a receiver has been unavailable, the longest.</param>
/// <param name="RefusingSeconds">How long an event that is not parked has been refused, the longest.</param>
/// <param name="OtherKey">The active webhooks that send nothing, because they were made with another key.</param>
internal sealed record WebhookSample(long Parked, double FailingSeconds, double RefusingSeconds, long OtherKey)
{
    public const string Sql =
        """
        SELECT (SELECT count(*) FROM shop.webhook_deliveries WHERE parked_at IS NOT NULL),
            (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - failing_since)), 0)::float8
             -- One that was made with another key sends nothing.
             FROM shop.webhooks WHERE is_active AND key_id = $1),
            -- While the receiver is unavailable, it refuses nothing.
            (SELECT greatest(max(extract(
                    epoch FROM coalesce(webhook.failing_since, clock_timestamp()) - event.failing_since)), 0)::float8
             FROM shop.webhooks AS webhook JOIN shop.webhook_deliveries AS event ON webhook_id = id
             WHERE is_active AND key_id = $1 AND parked_at IS NULL),
            (SELECT count(*) FROM shop.webhooks WHERE is_active AND key_id <> $1)
        """;
}

/// <summary>Gauges of the webhooks, in every process.</summary>
internal sealed class WebhookGauges : GaugeSampler<WebhookSample>
{
    private readonly NpgsqlDataSource database;
    private readonly WebhookSecrets secrets;

    public WebhookGauges(
        NpgsqlDataSource database, WebhookSecrets secrets, IMeterFactory meters, IOptions<TelemetryOptions> options,
        TimeProvider clock, ILogger<WebhookGauges> logger)
        : base(options, clock, logger)
    {
        (this.database, this.secrets) = (database, secrets);
        var meter = meters.Create(CommandsMeter.Name);
        meter.CreateObservableGauge(
            "apexshop.webhooks.parked", () => Of(one => one.Parked), "{event}",
            "Events of webhooks that were not delivered and are not tried again.");
        meter.CreateObservableGauge(
            "apexshop.webhooks.failing", () => Of(one => one.FailingSeconds), "s",
            "How long the receiver of a webhook has been unavailable, the longest.");
        meter.CreateObservableGauge(
            "apexshop.webhooks.refusing", () => Of(one => one.RefusingSeconds), "s",
            "How long the receiver of a webhook has refused an event that is not parked, the longest.");
        meter.CreateObservableGauge(
            "apexshop.webhooks.other_key", () => Of(one => one.OtherKey), "{webhook}",
            "Active webhooks that send nothing, because they were made with another key.");
    }

    protected override async Task<WebhookSample> SampleAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(WebhookSample.Sql);
        command.Parameters.Add(new() { Value = secrets.KeyId });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return new(row.GetInt64(0), row.GetDouble(1), row.GetDouble(2), row.GetInt64(3));
    }
}
