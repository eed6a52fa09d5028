using System.Diagnostics;
using ApexShop.Telemetry.Instruments;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace ApexShop.Telemetry.Otlp;

/// <summary>
/// Sends traces and metrics to a collector if the standard settings (<c>OTEL_EXPORTER_OTLP_ENDPOINT</c> and related, in
/// any configuration source) contain its address. Otherwise no OpenTelemetry assembly is loaded.
/// </summary>
internal sealed class OtlpExporter(IConfiguration configuration, string service) : IHostedService, IDisposable
{
    private static readonly string[] endpoints =
        ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"];

    private const string Bus = "MassTransit";

    private static readonly string[] sources =
        ["ApexShop.*", "Microsoft.AspNetCore", "System.Net.Http", "Npgsql", Bus];

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
            telemetry.WithTracing(traces => traces.AddSource(sources).AddProcessor(new PollFilter()));
            telemetry.WithMetrics(metrics => metrics
                .AddMeter([InstrumentFilter.Prefix + "*", .. InstrumentFilter.OtherMeters])
                .AddView(instrument =>
                    InstrumentFilter.IsExported(instrument) ? null : MetricStreamConfiguration.Drop));
            telemetry.UseOtlpExporter();
        });
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Sends the remaining data within the exporter's time limit.</summary>
    public void Dispose() => sdk?.Dispose();

    /// <summary>Drops the spans of periodic polls of the database and the broker, health probes and scrapes.</summary>
    private sealed class PollFilter : BaseProcessor<Activity>
    {
        public override void OnStart(Activity data)
        {
            if (data.ParentId is null && (data.Kind == ActivityKind.Client || data.Source.Name == Bus)) Drop(data);
        }

        public override void OnEnd(Activity data)
        {
            if (RequestSpan.HasNoAttributes(data)) Drop(data);
        }

        private static void Drop(Activity activity)
        {
            activity.IsAllDataRequested = false;
            activity.ActivityTraceFlags &= ~ActivityTraceFlags.Recorded;
        }
    }
}
