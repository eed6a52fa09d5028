using System.Collections.Concurrent;
using ApexShop.Events;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Projecting;
using Microsoft.Extensions.Logging;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>A delivery queue that is filled by a test in place of a broker.</summary>
internal sealed class TestDeliveries : IAcknowledger, IAsyncDisposable
{
    private readonly ConcurrentDictionary<ulong, TaskCompletionSource> unacknowledged = [];
    private readonly CancellationTokenSource lost = new();
    private readonly DeliveryQueue queue;
    private readonly Task running;
    private ulong delivered;

    public TestDeliveries(BatchApplier applier, ILogger logger)
    {
        queue = new DeliveryQueue(applier, this, TimeProvider.System, logger);
        running = Task.Run(() => queue.RunAsync(lost.Token));
    }

    /// <summary>The messages that were rejected, with the reasons.</summary>
    public ConcurrentQueue<string> Rejected { get; } = [];

    /// <summary>Delivers the entries as one message; the task ends with its acknowledgement.</summary>
    public Task AddAsync(IEnumerable<LogEntry> entries)
    {
        var body = TestProjector.Message(entries);
        var message = new Message(Interlocked.Increment(ref delivered), body, null);
        var acknowledged = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        unacknowledged[message.Tag] = acknowledged;
        queue.Add(new Delivery(message, EventBatch.FromMessage(body)));
        return acknowledged.Task;
    }

    /// <summary>Loses the channel: nothing more is applied or acknowledged.</summary>
    public async Task LoseAsync()
    {
        await lost.CancelAsync();
        await running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    public Task AcknowledgeAsync(Delivery delivery)
    {
        unacknowledged[delivery.Message.Tag].TrySetResult();
        return Task.CompletedTask;
    }

    public Task RejectAsync(Message message, string reason)
    {
        Rejected.Enqueue(reason);
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await LoseAsync();
        lost.Dispose();
    }
}
