namespace ApexShop.Commands.Api.Outbox;

/// <summary>The last position that this process assigned; a new one wakes the publisher.</summary>
internal sealed class LogHeadSignal : IDisposable
{
    private readonly SemaphoreSlim raised = new(0);

    /// <summary>Only the sequencer calls this.</summary>
    public void Raise(long position)
    {
        Position = position;
        if (raised.CurrentCount == 0) raised.Release();
    }

    public long Position { get; private set; }

    /// <summary>Returns when the position has changed, or after the time limit.</summary>
    public Task WaitAsync(TimeSpan limit, CancellationToken ct) => raised.WaitAsync(limit, ct);

    public void Dispose() => raised.Dispose();
}
