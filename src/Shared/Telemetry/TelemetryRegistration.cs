using ApexShop.Telemetry.Otlp;
using ApexShop.Telemetry.Prometheus;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace ApexShop.Telemetry;

/// <summary>Adds metrics, traces and logs to a process.</summary>
public static class TelemetryRegistration
{
    /// <summary>
    /// Adds the metrics page, structured logs, and the export of traces and metrics if a collector is configured.
    /// <paramref name="service"/> is the service name in the exported data.
    /// </summary>
    public static void AddTelemetry(this IHostApplicationBuilder builder, string service)
    {
        builder.Services.AddMetrics();
        builder.Services.AddOptionsWithValidateOnStart<TelemetryOptions, TelemetryOptionsValidator>()
            .BindConfiguration(TelemetryOptions.Section);
        builder.Services.AddSingleton<MetricsPage>();
        builder.AddStructuredLogs();
        if (!OtlpExporter.IsConfigured(builder.Configuration)) return;
        builder.Services.AddHostedService(_ => new OtlpExporter(builder.Configuration, service));
    }

    /// <summary>Starts the metrics; must be the first middleware, so that the span covers the whole pipeline.</summary>
    public static void UseTelemetry(this WebApplication app)
    {
        app.Services.GetRequiredService<MetricsPage>();
        if (OtlpExporter.IsConfigured(app.Configuration)) app.Use(RequestSpan.InvokeAsync);
    }
}
