namespace ApexShop.Commands.Api.Outbox;

/// <summary>The last position that this process gave, and the signal that wakes its publisher.</summary>
internal sealed class LogHeadSignal : IDisposable
{
    private readonly SemaphoreSlim raised = new(0);

    /// <summary>Called by the sequencer alone.</summary>
    public void Raise(long position)
    {
        Position = position;
        if (raised.CurrentCount == 0) raised.Release();
    }

    public long Position { get; private set; }

    /// <summary>Returns when the head moved or the time is over.</summary>
    public Task WaitAsync(TimeSpan limit, CancellationToken ct) => raised.WaitAsync(limit, ct);

    public void Dispose() => raised.Dispose();
}
