using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Telemetry;

/// <summary>Section <c>Telemetry</c>; the standard settings <c>OTEL_...</c> set the trace exporter.</summary>
public sealed class TelemetryOptions
{
    public const string Section = "Telemetry";

    /// <summary>The interval at which gauges of the database and the broker are sampled.</summary>
    [Range(0.1, 300)]
    public double SampleSeconds { get; set; } = 5;
}

[OptionsValidator]
internal sealed partial class TelemetryOptionsValidator : IValidateOptions<TelemetryOptions>;
