using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;
using ApexShop.Commands.Api.Webhooks.Delivering;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>How many events are parked, and how long the receiver of a webhook has been unavailable.</summary>
internal sealed record WebhookSample(long Parked, double FailingSeconds)
{
    public const string Sql =
        """
        SELECT (SELECT count(*) FROM shop.webhook_deliveries WHERE parked_at IS NOT NULL),
            (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - failing_since)), 0)::float8
             -- One that was made with another key sends nothing.
             FROM shop.webhooks WHERE is_active AND key_id = $1)
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
    }

    protected override async Task<WebhookSample> SampleAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(WebhookSample.Sql);
        command.Parameters.Add(new() { Value = secrets.KeyId });
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return new(row.GetInt64(0), row.GetDouble(1));
    }
}
