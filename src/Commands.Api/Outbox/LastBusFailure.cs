namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// The bus reports every failed attempt of an outage; the publisher reports the outage, once, and takes the reason
/// from here.
/// </summary>
internal sealed class LastBusFailure : ILogger
{
    public Exception? LastFailure { get; private set; }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (exception is not (null or OperationCanceledException)) LastFailure = exception;
    }
}
