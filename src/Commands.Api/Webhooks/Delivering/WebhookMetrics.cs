using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>Counts the attempts to deliver events.</summary>
internal sealed class WebhookMetrics(IMeterFactory meters)
{
    private readonly Counter<long> attempts = meters.Create(CommandsMeter.Name).CreateCounter<long>(
        "apexshop.webhooks.attempts", "{attempt}", "Attempts to deliver an event to a webhook.");

    public void Attempted(AttemptResult result) => attempts.Add(
        1, new KeyValuePair<string, object?>("outcome", result switch
        {
            AttemptResult.Delivered => "delivered",
            AttemptResult.Refused => "refused",
            _ => "unavailable",
        }));
}
