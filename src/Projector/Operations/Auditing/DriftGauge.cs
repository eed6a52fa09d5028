using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>
/// The differences that the last whole audit left, of whichever Projector; no measurement before the first.
/// </summary>
internal sealed class DriftGauge : GaugeSampler<Dictionary<string, long>>
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
        meters.Create(ProjectorMeter.Name).CreateObservableGauge(
            "apexshop.documents.drift", Measure, "{difference}", "Differences that the last audit left.");
    }

    protected override Task<Dictionary<string, long>> SampleAsync(CancellationToken ct) => record.DriftAsync(ct);

    private IEnumerable<Measurement<long>> Measure() => (Last ?? []).Select(one =>
        new Measurement<long>(one.Value, new KeyValuePair<string, object?>("resource", one.Key)));
}
