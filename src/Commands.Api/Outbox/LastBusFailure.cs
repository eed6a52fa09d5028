namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Receives the log of MassTransit, which reports every failed attempt of an outage, and keeps the last exception:
/// <see cref="EventPublisher"/> logs an outage once, with this reason.
/// </summary>
internal sealed class LastBusFailure : ILogger
{
    public Exception? LastFailure { get; private set; }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (exception is not (null or OperationCanceledException)) LastFailure = exception;
    }
}
