using Microsoft.Extensions.Logging;

namespace ApexShop.Hosting;

internal static partial class Log
{
    [LoggerMessage(1100, LogLevel.Error, "The changed API keys are refused, the ones before stay: {Reason}")]
    public static partial void KeysRefused(this ILogger logger, string reason);

    [LoggerMessage(1101, LogLevel.Information, "Told to stop: not ready any more, listening for {Seconds} s yet")]
    public static partial void Draining(this ILogger logger, double seconds);
}
