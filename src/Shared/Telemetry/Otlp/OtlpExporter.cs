using System.Diagnostics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace ApexShop.Telemetry.Otlp;

/// <summary>
/// Sends traces and metrics to a collector, where the standard settings (<c>OTEL_EXPORTER_OTLP_ENDPOINT</c> and those
/// beside it, from the environment or any other configuration) name one. Otherwise nothing of it is even loaded.
/// </summary>
internal sealed class OtlpExporter(IConfiguration configuration, string service) : IHostedService, IDisposable
{
    private static readonly string[] endpoints =
        ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"];

    private static readonly string[] sources =
        ["ApexShop.*", "Microsoft.AspNetCore", "System.Net.Http", "Npgsql", "MassTransit"];

    private OpenTelemetrySdk? sdk;

    public static bool IsConfigured(IConfiguration configuration) =>
        endpoints.Any(name => !string.IsNullOrEmpty(configuration[name]));

    public Task StartAsync(CancellationToken cancellationToken)
    {
        sdk = OpenTelemetrySdk.Create(telemetry =>
        {
            telemetry.Services.AddSingleton(configuration);
            telemetry.ConfigureResource(resource => resource.Clear()
                .AddService(service, "apexshop").AddTelemetrySdk().AddEnvironmentVariableDetector());
            telemetry.WithTracing(traces => traces.AddSource(sources).AddProcessor(new WithoutPolls()));
            telemetry.WithMetrics(metrics => metrics
                .AddMeter([InstrumentFilter.Ours + "*", .. InstrumentFilter.OtherMeters])
                .AddView(instrument => InstrumentFilter.IsExported(instrument) ? null : MetricStreamConfiguration.Drop));
            telemetry.UseOtlpExporter();
        });
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Sends what is left, within the exporter's own time limit.</summary>
    public void Dispose() => sdk?.Dispose();

    /// <summary>
    /// Leaves out what nobody asked for: a look into the database that a loop takes each second, probes and scrapes.
    /// </summary>
    private sealed class WithoutPolls : BaseProcessor<Activity>
    {
        public override void OnStart(Activity data)
        {
            if (data is { Kind: ActivityKind.Client, ParentId: null }) Drop(data);
        }

        public override void OnEnd(Activity data)
        {
            if (RequestSpan.IsUndescribed(data)) Drop(data);
        }

        private static void Drop(Activity activity)
        {
            activity.IsAllDataRequested = false;
            activity.ActivityTraceFlags &= ~ActivityTraceFlags.Recorded;
        }
    }
}
