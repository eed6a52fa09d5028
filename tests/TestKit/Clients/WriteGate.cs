using System.Threading.Channels;

namespace ApexShop.TestKit.Clients;

/// <summary>Synchronises writers and faults by the number of writes, not by time.</summary>
public sealed class WriteGate
{
    private readonly Channel<int> turns = Channel.CreateUnbounded<int>();
    private int allowed;
    private int done;

    /// <summary>Lets the writers start writes until this many have started in total.</summary>
    public void AllowUpTo(int writes)
    {
        while (allowed < writes) turns.Writer.TryWrite(++allowed);
    }

    /// <summary>Waits until this many writes are done.</summary>
    public Task DoneAsync(int writes) =>
        Eventually.Holds(
            () => Volatile.Read(ref done) >= writes, $"{writes} writes are done", TimeSpan.FromMinutes(2));

    /// <summary>Waits for permission and writes.</summary>
    public async Task TakeAsync(Func<Task> write)
    {
        await turns.Reader.ReadAsync();
        await write();
        Interlocked.Increment(ref done);
    }
}
