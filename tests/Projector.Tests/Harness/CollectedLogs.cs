using System.Collections.Concurrent;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Projecting;
using Microsoft.Extensions.Logging;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>Keeps what is logged.</summary>
internal sealed class CollectedLogs : ILoggerFactory, ILogger
{
    public ConcurrentQueue<string> Lines { get; } = [];

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public bool IsEnabled(LogLevel logLevel) => true;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        Lines.Enqueue(formatter(state, exception));

    public void Dispose() => Lines.Clear();
}
