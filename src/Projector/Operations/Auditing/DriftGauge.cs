using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>The result and the age of the last whole audit, of whichever Projector.</summary>
internal sealed class DriftGauge : GaugeSampler<LastAudit>
{
    private readonly AuditRecord record;

    public DriftGauge(
        AuditRecord record,
        IMeterFactory meters,
        IOptions<TelemetryOptions> options,
        TimeProvider clock,
        ILogger<DriftGauge> logger)
        : base(options, clock, logger)
    {
        this.record = record;
        var meter = meters.Create(ProjectorMeter.Name);
        // No measurement before the first audit.
        meter.CreateObservableGauge(
            "apexshop.documents.drift",
            () => ByResource(last => last.Drift),
            "{difference}",
            "Differences that the last audit left.");
        meter.CreateObservableGauge(
            "apexshop.audit.age", () => Of(last => last.Age), "s", "Time since the last whole audit ended.");
    }

    protected override Task<LastAudit> SampleAsync(CancellationToken ct) => record.LastAsync(ct);
}
