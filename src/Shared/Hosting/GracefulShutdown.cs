using System.Runtime.InteropServices;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>
/// How every process ends. At the first SIGTERM or Ctrl+C it is no longer ready and goes on as before for the drain
/// time; then the listener closes and what is under way ends. A second signal ends the process at once.
/// </summary>
public sealed class GracefulShutdown : IHostLifetime, IDisposable
{
    private readonly IHostApplicationLifetime host;
    private readonly StoppingOptions options;
    private readonly TimeProvider clock;
    private readonly ILogger<GracefulShutdown> logger;
    private readonly CancellationTokenSource streams = new();
    private readonly CancellationTokenRegistration closing;
    private PosixSignalRegistration[] signals = [];
    private bool isSignalled;

    public GracefulShutdown(
        IHostApplicationLifetime host, IOptions<StoppingOptions> options, TimeProvider clock, ILogger<GracefulShutdown> logger)
    {
        (this.host, this.options, this.clock, this.logger) = (host, options.Value, clock, logger);
        closing = host.ApplicationStopping.Register(() => streams.CancelAfter(TimeSpan.FromSeconds(this.options.StreamSeconds)));
    }

    /// <summary>True from the first signal on: no probe calls the process ready any more.</summary>
    public bool IsStopping => Volatile.Read(ref isSignalled) || host.ApplicationStopping.IsCancellationRequested;

    /// <summary>True when streams that are under way have had their time.</summary>
    public bool MustStreamsEnd => streams.IsCancellationRequested;

    public Task WaitForStartAsync(CancellationToken cancellationToken)
    {
        signals = [.. new[] { PosixSignal.SIGTERM, PosixSignal.SIGINT, PosixSignal.SIGQUIT }.Select(
            signal => PosixSignalRegistration.Create(signal, Heard))];
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
        foreach (var signal in signals) signal.Dispose();
        closing.Dispose();
        streams.Dispose();
    }

    private void Heard(PosixSignalContext signal)
    {
        // The second one is left to the system, which ends the process at once.
        if (Interlocked.Exchange(ref isSignalled, true)) return;
        signal.Cancel = true;
        _ = DrainAsync();
    }

    private async Task DrainAsync()
    {
        var drain = TimeSpan.FromSeconds(options.DrainSeconds ?? 0);
        logger.Draining(drain.TotalSeconds);
        await Task.Delay(drain, clock, host.ApplicationStopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        host.StopApplication();
    }
}
