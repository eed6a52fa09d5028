using Microsoft.Extensions.Logging;

namespace ApexShop.Access;

internal static partial class Log
{
    [LoggerMessage(1100, LogLevel.Error, "The changed API keys are not valid; the previous ones stay in use: {Reason}")]
    public static partial void KeysRefused(this ILogger logger, string reason);

    [LoggerMessage(1104, LogLevel.Error,
        "The changed configuration file {File} cannot be read; the previous API keys stay in use")]
    public static partial void FileNotRead(this ILogger logger, string? file);
}
