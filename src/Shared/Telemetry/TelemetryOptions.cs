using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Telemetry;

/// <summary>Section <c>Telemetry</c>; where traces go is said by the standard settings <c>OTEL_...</c>.</summary>
public sealed class TelemetryOptions
{
    public const string Section = "Telemetry";

    /// <summary>How often servers are asked for what gauges show: rows that wait, positions, messages.</summary>
    [Range(0.1, 300)]
    public double SampleSeconds { get; set; } = 5;
}

[OptionsValidator]
internal sealed partial class TelemetryOptionsValidator : IValidateOptions<TelemetryOptions>;
