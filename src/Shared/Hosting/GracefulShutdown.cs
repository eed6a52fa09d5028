using System.Runtime.InteropServices;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>
/// Shuts a process down. After the first SIGTERM or Ctrl+C the process is not ready, but serves requests as before for
/// the drain time; then the listener closes and running requests end. A second signal ends the process immediately.
/// </summary>
public sealed class GracefulShutdown : IHostLifetime, IDisposable
{
    private static readonly PosixSignal[] handled = [PosixSignal.SIGTERM, PosixSignal.SIGINT, PosixSignal.SIGQUIT];

    private readonly IHostApplicationLifetime host;
    private readonly StoppingOptions options;
    private readonly TimeProvider clock;
    private readonly ILogger<GracefulShutdown> logger;
    private readonly CancellationTokenSource streams = new();
    private readonly CancellationTokenRegistration stopping;
    private PosixSignalRegistration[] signals = [];
    private bool isSignalled;

    public GracefulShutdown(
        IHostApplicationLifetime host,
        IOptions<StoppingOptions> options,
        TimeProvider clock,
        ILogger<GracefulShutdown> logger)
    {
        (this.host, this.options, this.clock, this.logger) = (host, options.Value, clock, logger);
        StreamsEnd = streams.Token;
        stopping = host.ApplicationStopping.Register(
            () => streams.CancelAfter(TimeSpan.FromSeconds(this.options.StreamSeconds)));
    }

    /// <summary>True from the first signal on: the process is no longer ready.</summary>
    public bool IsStopping =>
        Volatile.Read(ref isSignalled) || host.ApplicationStopping.IsCancellationRequested;

    /// <summary>
    /// Cancelled when the time of running streams is over (<see cref="StoppingOptions.StreamSeconds"/>).
    /// </summary>
    public CancellationToken StreamsEnd { get; }

    /// <summary>True when the time of running streams is over.</summary>
    public bool MustStreamsEnd => StreamsEnd.IsCancellationRequested;

    public Task WaitForStartAsync(CancellationToken cancellationToken)
    {
        signals = [.. handled.Select(signal => PosixSignalRegistration.Create(signal, Handle))];
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
        foreach (var signal in signals) signal.Dispose();
        stopping.Dispose();
        streams.Dispose();
    }

    private void Handle(PosixSignalContext signal)
    {
        // The second signal keeps its default effect: the system ends the process.
        if (Interlocked.Exchange(ref isSignalled, true)) return;
        signal.Cancel = true;
        _ = DrainAsync();
    }

    private async Task DrainAsync()
    {
        var drain = TimeSpan.FromSeconds(options.DrainSeconds ?? 0);
        logger.Draining(drain.TotalSeconds);
        await Task.Delay(drain, clock, host.ApplicationStopping).WithoutThrowing();
        host.StopApplication();
    }
}
