using ApexShop.Messaging;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Simulation.Tests.Messaging;

/// <summary>A channel: deliveries arrive one after another, and acknowledgements travel without a reply.</summary>
internal sealed class ModelChannel
{
    private static readonly ShutdownEventArgs noQueue = new(ShutdownInitiator.Peer, 404, "There is no such queue.");

    private readonly SimulatedProcess process;
    private readonly BrokerServer broker;
    private readonly Network network;
    private readonly ModelConnection connection;
    private readonly Queue<Func<Task>> arrived = new();
    private AsyncEventHandler<ShutdownEventArgs>? shutdown;
    private ShutdownEventArgs? closed;
    private IAsyncBasicConsumer? consumer;
    private BrokerConsumer? subscribed;
    private ushort prefetch;
    private bool isDispatching;
    private long arrival;
    private long departure;

    public ModelChannel(
        SimulatedProcess process, BrokerServer broker, Network network, ModelConnection connection)
    {
        (this.process, this.broker, this.network, this.connection) = (process, broker, network, connection);
        Proxy = ModelProxy.Of<IChannel>(Call);
    }

    public IChannel Proxy { get; }

    public void EndAtServer()
    {
        if (subscribed is not null) broker.End(subscribed);
    }

    /// <summary>The client sees the end of the channel.</summary>
    public async Task EndAsync(ShutdownEventArgs reason)
    {
        if (closed is not null) return;
        closed = reason;
        arrived.Clear();
        if (shutdown is not null) await shutdown(this, reason);
        if (consumer is not null) await consumer.HandleChannelShutdownAsync(Proxy, reason);
    }

    private object? Call(string method, object?[] arguments)
    {
        switch (method)
        {
            case "add_" + nameof(IChannel.ChannelShutdownAsync):
                shutdown += (AsyncEventHandler<ShutdownEventArgs>)arguments[0]!;
                return null;
            case "get_" + nameof(IChannel.CloseReason): return closed;
            case nameof(IChannel.BasicQosAsync):
                prefetch = (ushort)arguments[1]!;
                return Task.CompletedTask;
            case nameof(IChannel.BasicConsumeAsync):
                return ConsumeAsync(
                    (string)arguments[0]!, (IAsyncBasicConsumer)arguments[6]!, (CancellationToken)arguments[^1]!);
            case nameof(IChannel.BasicAckAsync):
                Acknowledge((ulong)arguments[0]!);
                return ValueTask.CompletedTask;
            case nameof(IChannel.QueueDeclareAsync):
                return DeclareAsync((string)arguments[0]!, (CancellationToken)arguments[^1]!);
            case nameof(IChannel.ExchangeDeclareAsync):
            case nameof(IChannel.ExchangeBindAsync):
            case nameof(IChannel.QueueBindAsync): return Task.CompletedTask;
            case nameof(IAsyncDisposable.DisposeAsync):
                closed ??= new(ShutdownInitiator.Application, 200, "disposed");
                return ValueTask.CompletedTask;
            default: throw ModelProxy.NotModelled(method);
        }
    }

    private async Task<QueueDeclareOk> DeclareAsync(string queue, CancellationToken ct)
    {
        await connection.CallAsync("declare queue", () => broker.IsDeclared = true, ct);
        return new(queue, 0, 0);
    }

    private async Task<string> ConsumeAsync(string queue, IAsyncBasicConsumer added, CancellationToken ct)
    {
        // The queue of dead letters stays empty: every message of the schedule can be read.
        if (queue == Topology.DeadLettersOf(Topology.ProjectorQueue)) return "";
        consumer = added;
        await connection.CallAsync("consume", Subscribe, ct);
        return "";

        void Subscribe()
        {
            if (!broker.IsDeclared) throw new ServerException(new OperationInterruptedException(noQueue));
            broker.Subscribe(subscribed = new(prefetch, Send, Cancel));
        }
    }

    private void Acknowledge(ulong tag)
    {
        if (closed is not null) throw new AlreadyClosedException(closed);
        Later(ref departure, network.Scheduler.World, () =>
        {
            if (!connection.IsOpenAtServer || broker.Server.IsDown || subscribed is null) return;
            network.Scheduler.Trace.Add(network.Scheduler.Now, process.Name, "acknowledges", (long)tag);
            broker.Acknowledge(subscribed, tag);
        });
    }

    private void Send(ulong tag, QueuedMessage message) => Arrive(() =>
    {
        network.Scheduler.Trace.Add(network.Scheduler.Now, process.Name, "receives message", message.Number);
        return consumer!.HandleBasicDeliverAsync(
            "", tag, false, Topology.Exchange, "", new BasicProperties(), message.Body);
    });

    private void Cancel() => Arrive(() => consumer!.HandleBasicCancelAsync(""));

    private void Arrive(Func<Task> work) => Later(ref arrival, process, () =>
    {
        if (closed is not null) return;
        arrived.Enqueue(work);
        if (!isDispatching) process.Run(DispatchAsync);
    });

    private async Task DispatchAsync()
    {
        if (isDispatching) return;
        isDispatching = true;
        while (arrived.TryDequeue(out var work)) await work();
        isDispatching = false;
    }

    // In order: not before what was sent earlier.
    private void Later(ref long earliest, SimulatedProcess where, Action act)
    {
        var scheduler = network.Scheduler;
        earliest = Math.Max(earliest + 1, scheduler.Now + network.Faults.Delay().Ticks);
        scheduler.After(TimeSpan.FromTicks(earliest - scheduler.Now), where, _ => act());
    }
}
