using Microsoft.Extensions.Logging;

namespace ApexShop.Hosting;

internal static partial class Log
{
    [LoggerMessage(1103, LogLevel.Information, "Stopping: not ready; the listener closes in {Seconds} s")]
    public static partial void Draining(this ILogger logger, double seconds);
}
