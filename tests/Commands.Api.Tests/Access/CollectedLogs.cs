using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Access;

/// <summary>What a process under test has logged as a warning or worse.</summary>
internal sealed class CollectedLogs : ILoggerProvider, ILogger
{
    public ConcurrentQueue<string> Lines { get; } = new();

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel)) Lines.Enqueue(formatter(state, exception));
    }

    public void Dispose()
    {
    }
}
