using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>The last position that this process assigned; a new one wakes the publisher.</summary>
internal sealed class LogHeadSignal
{
    private readonly WakeSignal raised = new();

    /// <summary>Only the sequencer calls this.</summary>
    public void Raise(long position)
    {
        Position = position;
        raised.Set();
    }

    public long Position { get; private set; }

    /// <summary>Returns when the position has changed, or after the time limit.</summary>
    public Task WaitAsync(TimeSpan limit, TimeProvider clock, CancellationToken ct) =>
        raised.WaitAsync(limit, clock, ct);
}
