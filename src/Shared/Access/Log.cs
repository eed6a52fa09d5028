using Microsoft.Extensions.Logging;

namespace ApexShop.Access;

internal static partial class Log
{
    [LoggerMessage(1100, LogLevel.Error, "The changed API keys are not valid; the previous ones stay in use: {Reason}")]
    public static partial void KeysRefused(this ILogger logger, string reason);
}
