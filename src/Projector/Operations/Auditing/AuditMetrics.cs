using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>The differences left by this process's last audit; no measurement before the first.</summary>
internal sealed class AuditMetrics
{
    private volatile IReadOnlyDictionary<string, long> remaining = new Dictionary<string, long>();

    public AuditMetrics(IMeterFactory meters) => meters.Create(ProjectorMeter.Name).CreateObservableGauge(
        "apexshop.documents.drift", Measure, "{difference}", "Differences that the last audit left.");

    public void Found(IReadOnlyDictionary<string, long> differences) => remaining = differences;

    private IEnumerable<Measurement<long>> Measure() => remaining.Select(one =>
        new Measurement<long>(one.Value, new KeyValuePair<string, object?>("resource", one.Key)));
}
