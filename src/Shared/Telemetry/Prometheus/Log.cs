using Microsoft.Extensions.Logging;

namespace ApexShop.Telemetry.Prometheus;

internal static partial class Log
{
    [LoggerMessage(1101, LogLevel.Warning, "A gauge failed and is not shown: {Reason}")]
    public static partial void GaugeFailed(this ILogger logger, string reason);
}
