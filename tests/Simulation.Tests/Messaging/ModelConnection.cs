using ApexShop.Projector.Intake;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Simulation.Tests.Messaging;

/// <summary>
/// A connection of a Projector to the model of the broker, behind the interfaces of the client. Either end may see its
/// loss first, up to three heartbeats before the other.
/// </summary>
internal sealed class ModelConnection
{
    private static readonly ShutdownEventArgs lost = new(ShutdownInitiator.Library, 541, "The connection is lost.");

    private readonly SimulatedProcess process;
    private readonly BrokerServer broker;
    private readonly Network network;
    private readonly List<ModelChannel> channels = [];
    private bool isClosedAtClient;

    private ModelConnection(SimulatedProcess process, BrokerServer broker, Network network)
    {
        (this.process, this.broker, this.network) = (process, broker, network);
        process.AtEnd(() => network.Scheduler.After(network.Faults.Delay(), EndAtServer));
    }

    public bool IsOpenAtServer { get; private set; } = true;

    /// <summary>Connects a process of the Projector to the broker.</summary>
    public static Func<MessagingOptions, string, CancellationToken, Task<IConnection>> To(
        SimulatedProcess process, BrokerServer broker, Network network, List<ModelConnection> all) =>
        async (_, name, ct) =>
        {
            await network.CallAsync(process, broker.Server, "connect", () => { }, ct);
            var connection = new ModelConnection(process, broker, network);
            all.Add(connection);
            return ModelProxy.Of<IConnection>(connection.Call);
        };

    /// <summary>The connection breaks: its two ends see it at different times.</summary>
    public void Break()
    {
        var (random, scheduler) = (network.Scheduler.Random, network.Scheduler);
        scheduler.Trace.Add(scheduler.Now, process.Name, "connection breaks");
        var late = random.Of(1, 100, 9_000);
        scheduler.After(random.Between(0, late), EndAtServer);
        scheduler.After(random.Between(0, late), process, _ => EndAtClient());
    }

    public void EndAtServer()
    {
        if (!IsOpenAtServer) return;
        IsOpenAtServer = false;
        foreach (var channel in channels) channel.EndAtServer();
    }

    /// <summary>An operation that fails when either end of the connection is closed.</summary>
    public async Task CallAsync(string name, Action effect, CancellationToken ct)
    {
        await network.CallAsync(
            process,
            broker.Server,
            name,
            () =>
            {
                if (!IsOpenAtServer) throw new ServerException(new AlreadyClosedException(lost));
                effect();
            },
            ct);
        if (isClosedAtClient) throw new AlreadyClosedException(lost);
    }

    private object? Call(string method, object?[] arguments) => method switch
    {
        nameof(IConnection.CreateChannelAsync) => OpenChannelAsync((CancellationToken)arguments[^1]!),
        nameof(IAsyncDisposable.DisposeAsync) => Closed(),
        _ => throw ModelProxy.NotModelled(method),
    };

    private async Task<IChannel> OpenChannelAsync(CancellationToken ct)
    {
        var channel = new ModelChannel(process, broker, network, this);
        await CallAsync("open channel", () => { }, ct);
        channels.Add(channel);
        return channel.Proxy;
    }

    private object Closed()
    {
        network.Scheduler.After(network.Faults.Delay(), EndAtServer);
        object done = ValueTask.CompletedTask;
        return done;
    }

    private void EndAtClient()
    {
        isClosedAtClient = true;
        foreach (var channel in channels) process.Run(() => channel.EndAsync(lost));
    }
}
