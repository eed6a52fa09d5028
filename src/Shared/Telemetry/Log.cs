using Microsoft.Extensions.Logging;

namespace ApexShop.Telemetry;

internal static partial class Log
{
    [LoggerMessage(1102, LogLevel.Warning, "{Sampler} failed; its gauges are not shown: {Reason}")]
    public static partial void SampleFailed(this ILogger logger, string sampler, string reason);
}
