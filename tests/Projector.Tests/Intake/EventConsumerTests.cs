using ApexShop.Messaging;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Projecting;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;

namespace ApexShop.Projector.Tests.Intake;

public sealed class EventConsumerTests(ReadStore store) : QueueTest(store)
{
    [Fact]
    public async Task A_message_whose_decoding_fails_for_any_reason_is_a_dead_letter()
    {
        using var logs = new CollectedLogs();
        await using var cancellation = new ConsumerCancellation();
        foreach (var queue in (string[])[Queue, Dead])
            await Channel.QueueDeclareAsync(queue, durable: false, exclusive: false, autoDelete: false);
        // Without projections a valid message fails, too.
        var consumer = new EventConsumer(
            Projector.Applier,
            null!,
            Projector.Watch,
            Options.Create(new MessagingOptions { Url = Servers.RabbitMq.ToString(), Queue = Queue }),
            TimeProvider.System,
            logs.CreateLogger<EventConsumer>());
        await using var consuming = await Connection.CreateChannelAsync(new CreateChannelOptions(true, true));
        await consumer.StartAsync(consuming, consuming, cancellation, CancellationToken.None);

        await Channel.BasicPublishAsync("", Queue, TestProjector.Message([History.Product(10, "Pen")]));

        BasicGetResult? dead = null;
        await Eventually.Holds(
            async () => (dead = await Channel.BasicGetAsync(Dead, autoAck: true)) is not null, "it is a dead letter");
        dead!.BasicProperties.Headers!.ShouldContainKey(Topology.ReasonHeader);
        logs.Lines.ShouldContain(line => line.Contains("could not be decoded", StringComparison.Ordinal));
        cancellation.Reason.ShouldBeNull();
    }

    [Fact]
    public async Task Messages_that_wait_for_their_transaction_are_not_read_from_the_log_too()
    {
        await using var projector = await StartAsync();
        // The first message of a new process may take so long that its event is read from the log.
        await PublishAsync(1);
        await AppliedAsync(1);
        projector.Logs.Lines.Clear();
        await using (await Store.HoldAsync())
        {
            for (var i = 0; i < 5; i++) await PublishAsync(10 + i);

            await Store.HeldUpAsync();
            await Eventually.Holds(
                async () => (await Channel.QueueDeclarePassiveAsync(Queue)).MessageCount == 0, "all are delivered");
            // The first comparison sees the events, the second would read them and wait for the transaction.
            var watch = projector.Services.GetRequiredService<LogWatch>();
            for (var i = 0; i < 2; i++)
                await watch.CompareAsync(CancellationToken.None).WaitAsync(TimeSpan.FromSeconds(20));
        }

        await AppliedAsync(6);
        projector.Logs.Lines.ShouldNotContain(line => line.Contains("from the event log", StringComparison.Ordinal));

        async Task PublishAsync(int product) => await Channel.BasicPublishAsync(
            Exchange, Resource.Products.Name, TestProjector.Message([History.Product(product, "Pen")]));

        Task AppliedAsync(int products) => Eventually.Holds(
            async () => await Store.ScalarAsync<long>("SELECT count(*) FROM read.products") == products,
            $"{products} are applied");
    }
}
