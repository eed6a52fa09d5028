namespace ApexShop.Commands.Api.Operations;

internal static partial class Log
{
    [LoggerMessage(7110, LogLevel.Warning, "A Projector ended during its response to {Path}: {Reason}")]
    public static partial void ProjectorEnded(this ILogger logger, string path, string reason);
}
