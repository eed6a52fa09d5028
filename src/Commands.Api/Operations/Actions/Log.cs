namespace ApexShop.Commands.Api.Operations.Actions;

internal static partial class Log
{
    [LoggerMessage(7100, LogLevel.Information, "Operator action {Action} by {Actor}")]
    public static partial void OperatorActs(this ILogger logger, string action, string actor);

    [LoggerMessage(7101, LogLevel.Warning, "Operator action {Action} has no row in shop.operator_actions: {Reason}")]
    public static partial void ActionNotStored(this ILogger logger, string action, string reason);
}
