using Microsoft.Extensions.Logging;

namespace ApexShop.Hosting;

internal static partial class Log
{
    [LoggerMessage(1100, LogLevel.Error, "The changed API keys are refused, the ones before stay: {Reason}")]
    public static partial void KeysRefused(this ILogger logger, string reason);

    [LoggerMessage(1101, LogLevel.Warning, "A gauge could not be asked and is not shown: {Reason}")]
    public static partial void GaugeFailed(this ILogger logger, string reason);

    [LoggerMessage(1102, LogLevel.Warning, "{Sampler} gets no answer, its gauges are not shown: {Reason}")]
    public static partial void NotSampled(this ILogger logger, string sampler, string reason);

    [LoggerMessage(1103, LogLevel.Information, "Told to stop: not ready any more, listening for {Seconds} s yet")]
    public static partial void Draining(this ILogger logger, double seconds);
}
