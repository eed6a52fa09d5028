using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>New positions, which the sequencer of this process assigns; they wake the publisher.</summary>
internal sealed class LogHeadSignal
{
    private readonly WakeSignal raised = new();

    public void Raise() => raised.Set();

    /// <summary>Returns with new positions, or after the time limit.</summary>
    public Task WaitAsync(TimeSpan limit, TimeProvider clock, CancellationToken ct) =>
        raised.WaitAsync(limit, clock, ct);
}
