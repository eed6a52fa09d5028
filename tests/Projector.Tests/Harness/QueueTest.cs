using ApexShop.Messaging;
using ApexShop.TestKit;
using RabbitMQ.Client;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>A test with whole Projectors on an exchange and a queue of its own.</summary>
public abstract class QueueTest(ReadStore store) : ProjectorTest(store)
{
    internal string Exchange { get; } = "test_" + Guid.NewGuid().ToString("N");

    internal IConnection Connection { get; private set; } = null!;

    internal IChannel Channel { get; private set; } = null!;

    internal string Queue => Exchange + ".projector";

    internal string Dead => Topology.DeadLettersOf(Queue);

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        Connection = await new ConnectionFactory { Uri = Servers.RabbitMq }.CreateConnectionAsync();
        Channel = await Connection.CreateChannelAsync(new CreateChannelOptions(true, true));
    }

    public override async Task DisposeAsync()
    {
        foreach (var queue in (string[])[Queue, Dead])
        {
            await Channel.QueueDeleteAsync(queue);
            await Channel.ExchangeDeleteAsync(queue);
        }

        await Channel.ExchangeDeleteAsync(Exchange);
        await Channel.DisposeAsync();
        await Connection.DisposeAsync();
        await base.DisposeAsync();
    }

    internal Task<RunningProjector> StartAsync() =>
        RunningProjector.StartAsync(Store.Database.Projector, Exchange, Queue, History);
}
