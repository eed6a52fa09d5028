using System.Threading.Channels;

namespace ApexShop.TestKit.Clients;

/// <summary>Couples writers and faults by what has been written, not by time.</summary>
public sealed class Pace
{
    private readonly Channel<int> turns = Channel.CreateUnbounded<int>();
    private int allowed;
    private int done;

    /// <summary>Lets the writers begin writes until this many have begun in all.</summary>
    public void AllowUpTo(int writes)
    {
        while (allowed < writes) turns.Writer.TryWrite(++allowed);
    }

    /// <summary>Waits until this many writes have been answered.</summary>
    public Task DoneAsync(int writes) =>
        Eventually.Holds(
            () => Volatile.Read(ref done) >= writes, $"{writes} writes are answered", TimeSpan.FromMinutes(2));

    /// <summary>A writer's turn.</summary>
    public async Task TakeAsync(Func<Task> write)
    {
        await turns.Reader.ReadAsync();
        await write();
        Interlocked.Increment(ref done);
    }
}
