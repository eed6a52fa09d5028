using ApexShop.Telemetry.Otlp;
using ApexShop.Telemetry.Prometheus;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Telemetry;

/// <summary>What a process tells of itself: metrics, traces, logs.</summary>
public static class TelemetryRegistration
{
    /// <summary>
    /// Adds the metrics page, structured logs, and the export of traces and metrics where one is configured.
    /// <paramref name="service"/> names the process in them.
    /// </summary>
    public static void AddTelemetry(this IHostApplicationBuilder builder, string service)
    {
        builder.Services.AddMetrics();
        builder.Services.AddOptions<TelemetryOptions>().Bind(builder.Configuration.GetSection(TelemetryOptions.Section)).ValidateOnStart();
        builder.Services.AddSingleton<IValidateOptions<TelemetryOptions>, TelemetryOptionsValidator>();
        builder.Services.AddSingleton<MetricsPage>();
        builder.AddStructuredLogs();
        if (OtlpExporter.IsConfigured(builder.Configuration)) builder.Services.AddHostedService(_ => new OtlpExporter(builder.Configuration, service));
    }

    /// <summary>Starts to count; first of all steps, and one of them only where traces are exported.</summary>
    public static void UseTelemetry(this WebApplication app)
    {
        app.Services.GetRequiredService<MetricsPage>();
        if (OtlpExporter.IsConfigured(app.Configuration)) app.Use(RequestSpan.InvokeAsync);
    }
}
