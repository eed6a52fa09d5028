using System.Globalization;
using System.Text;
using ApexShop.Messaging;
using ApexShop.Projector.Intake;
using ApexShop.Simulation.Tests.Messaging;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.TestKit;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Simulation.Tests.Conformance;

/// <summary>The Projector's queue, in the model and in RabbitMQ, delivers the same messages in one order.</summary>
public sealed class BrokerConformanceTests : IAsyncLifetime
{
    private const int Operations = 60;
    private const int Prefetch = 4;

    private readonly MessagingOptions options = new()
    {
        Url = Servers.RabbitMq.ToString(),
        Exchange = $"test_{Guid.NewGuid():N}",
        Queue = $"test_{Guid.NewGuid():N}.projector",
    };

    private IConnection connection = null!;
    private IChannel channel = null!;

    public async Task InitializeAsync()
    {
        connection = await ConnectAsync();
        channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true));
        await QueueTopology.DeclareAsync(channel, options, CancellationToken.None);
    }

    public async Task DisposeAsync()
    {
        foreach (var queue in (string[])[options.Queue, Topology.DeadLettersOf(options.Queue)])
        {
            await channel.QueueDeleteAsync(queue);
            await channel.ExchangeDeleteAsync(queue);
        }

        await channel.ExchangeDeleteAsync(options.Exchange);
        await connection.DisposeAsync();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task The_model_of_the_queue_delivers_as_RabbitMQ(int seed)
    {
        var (random, run) = (new SeededRandom(seed), new ModelRun(seed));
        var model = new BrokerServer(run.Scheduler) { IsDeclared = true };
        var consumers = new List<Consumer> { await SubscribeAsync(model), await SubscribeAsync(model) };
        var sent = 0;
        for (var i = 0; i < Operations; i++)
        {
            var consumer = consumers[random.Next(consumers.Count)];
            switch (random.Next(10))
            {
                case < 5:
                    var body = Encoding.ASCII.GetBytes((++sent).ToString(CultureInfo.InvariantCulture));
                    await channel.BasicPublishAsync(options.Exchange, "products", mandatory: true, body);
                    model.Enqueue(new(sent, body, []));
                    break;
                case < 9:
                    await consumer.AcknowledgeAsync(random, model);
                    break;
                default:
                    await consumer.Connection.CloseAsync();
                    model.End(consumer.Model);
                    consumers.Remove(consumer);
                    consumers.Add(await SubscribeAsync(model));
                    break;
            }

            foreach (var one in consumers) await one.ShouldBeEqualAsync($"operation {i} of seed {seed}");
        }

        sent.ShouldBeGreaterThan(Operations / 4);
        await channel.QueueDeleteAsync(options.Queue);
        model.LoseQueue();
        foreach (var one in consumers) await one.ShouldBeEqualAsync($"without its queue, seed {seed}");
        model.Publish([]).ShouldBeFalse();
        await Should.ThrowAsync<PublishException>(async () =>
            await channel.BasicPublishAsync(options.Exchange, "products", mandatory: true, new byte[1]));
        foreach (var consumer in consumers) await consumer.Connection.DisposeAsync();
    }

    // Not the Projector's BrokerClient: the simulations beside this test take every core, and RabbitMQ ends connections
    // whose heartbeat of 3 s is late.
    private static Task<IConnection> ConnectAsync() =>
        new ConnectionFactory { Uri = Servers.RabbitMq }.CreateConnectionAsync();

    private async Task<Consumer> SubscribeAsync(BrokerServer model)
    {
        var own = await ConnectAsync();
        var opened = await own.CreateChannelAsync();
        var consumer = new Consumer(own, opened);
        await opened.BasicQosAsync(0, Prefetch, global: false);
        await opened.BasicConsumeAsync(
            options.Queue,
            autoAck: false,
            new QueueConsumer(opened, consumer.ReceiveAsync, consumer.EndAsync));
        model.Subscribe(consumer.Model);
        return consumer;
    }

    /// <summary>A consumer of each; what they received, by tag and body.</summary>
    private sealed class Consumer
    {
        private const string Ended = "the queue is gone";

        private readonly Lock gate = new();
        private readonly IChannel channel;
        private readonly List<string> received = [];
        private readonly List<string> expected = [];
        private readonly List<ulong> open = [];

        public Consumer(IConnection connection, IChannel channel)
        {
            (Connection, this.channel) = (connection, channel);
            Model = new(
                Prefetch,
                (tag, message) =>
                {
                    expected.Add($"{tag} {Encoding.ASCII.GetString(message.Body)}");
                    open.Add(tag);
                },
                () => expected.Add(Ended));
        }

        public IConnection Connection { get; }

        public BrokerConsumer Model { get; }

        public Task ReceiveAsync(RabbitMQ.Client.Events.BasicDeliverEventArgs message)
        {
            lock (gate) received.Add($"{message.DeliveryTag} {Encoding.ASCII.GetString(message.Body.Span)}");
            return Task.CompletedTask;
        }

        public Task EndAsync()
        {
            lock (gate) received.Add(Ended);
            return Task.CompletedTask;
        }

        public async Task AcknowledgeAsync(SeededRandom random, BrokerServer model)
        {
            if (open.Count == 0) return;
            var tag = open[random.Next(open.Count)];
            open.Remove(tag);
            await channel.BasicAckAsync(tag, multiple: false);
            model.Acknowledge(Model, tag);
        }

        public async Task ShouldBeEqualAsync(string when)
        {
            await Eventually.Holds(() => Count() >= expected.Count, $"{when}: {string.Join(", ", expected)} arrive");
            lock (gate) received.ShouldBe(expected, when);
        }

        private int Count()
        {
            lock (gate) return received.Count;
        }
    }
}
