using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace ApexShop.Commands.Api.Tests.Access;

/// <summary>What a process under test has logged as a warning or worse, or from another level on.</summary>
internal sealed class CollectedLogs(LogLevel lowest = LogLevel.Warning) : ILoggerProvider, ILogger
{
    public ConcurrentQueue<string> Lines { get; } = new();

    // Kestrel warns of a slow machine, too.
    public ILogger CreateLogger(string categoryName) =>
        categoryName.StartsWith("Microsoft.AspNetCore.Server.Kestrel", StringComparison.Ordinal)
            ? NullLogger.Instance
            : this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= lowest;

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
