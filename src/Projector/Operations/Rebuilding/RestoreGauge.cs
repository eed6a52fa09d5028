using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Shows whether the documents are of the event log.</summary>
internal sealed class RestoreGauge(RestoreWatch watch, IMeterFactory meters) : IHostedService
{
    public Task StartAsync(CancellationToken ct)
    {
        meters.Create(ProjectorMeter.Name).CreateObservableGauge(
            "apexshop.documents.of_this_log",
            () => watch.Break is null ? 1 : 0,
            null,
            "0 while the documents are of another log, and no event is applied to them.");
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken ct) => Task.CompletedTask;
}
