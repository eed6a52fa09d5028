using System.Collections.Concurrent;
using System.Diagnostics;
using ApexShop.Events;
using ApexShop.Hosting;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Projecting;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>A delivery queue that is filled by a test in place of a broker.</summary>
internal sealed class TestDeliveries : IAcknowledger, IAsyncDisposable
{
    private readonly ConcurrentDictionary<ulong, TaskCompletionSource> unacknowledged = [];
    private readonly CancellationTokenSource lost = new();
    private readonly DeliveryQueue queue;
    private readonly Task running;
    private ulong delivered;

    public TestDeliveries(
        BatchApplier applier, ILogger logger, TimeProvider? clock = null, MessagingOptions? options = null)
    {
        queue = new DeliveryQueue(
            applier, this, options ?? new MessagingOptions(), clock ?? TimeProvider.System, logger);
        running = Task.Run(() => queue.RunAsync(lost.Token));
    }

    /// <summary>The numbers of the messages that were rejected, with the reasons.</summary>
    public ConcurrentQueue<(ulong Tag, string Reason)> Rejected { get; } = [];

    /// <summary>Whether a rejection waits for ever, as for a full queue.</summary>
    public bool IsFull { get; set; }

    /// <summary>Of the last delivery: ends when another one may follow.</summary>
    public Task Room { get; private set; } = Task.CompletedTask;

    /// <summary>Delivers the entries as one message; the task ends with its acknowledgement.</summary>
    public Task AddAsync(IEnumerable<LogEntry> entries, Activity? span = null)
    {
        var body = TestProjector.Message(entries);
        var message = new Message(Interlocked.Increment(ref delivered), body, new BasicProperties()) { Span = span };
        var acknowledged = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        unacknowledged[message.Tag] = acknowledged;
        Room = queue.AddAsync(new Delivery(message, EventBatch.FromMessage(body)), lost.Token);
        return acknowledged.Task;
    }

    /// <summary>Ends the queue as a stop does; the task ends with it.</summary>
    public Task StopAsync()
    {
        queue.Complete();
        return running;
    }

    /// <summary>Loses the channel: nothing more is applied or acknowledged.</summary>
    public async Task LoseAsync()
    {
        await lost.CancelAsync();
        await running.WithoutThrowing();
    }

    public async Task AcknowledgeAsync(IReadOnlyList<Delivery> deliveries, Task raised)
    {
        await raised;
        foreach (var delivery in deliveries) unacknowledged[delivery.Message.Tag].TrySetResult();
    }

    public async Task RejectAsync(Message message, string reason, CancellationToken ct)
    {
        Rejected.Enqueue((message.Tag, reason));
        if (IsFull) await Task.Delay(Timeout.Infinite, ct);
    }

    public async ValueTask DisposeAsync()
    {
        await LoseAsync();
        lost.Dispose();
    }
}
