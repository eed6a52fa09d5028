using System.Text;
using ApexShop.Messaging;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;
using RabbitMQ.Client;

namespace ApexShop.Projector.Tests.Intake;

public sealed class AcknowledgerTests(ReadStore store) : QueueTest(store)
{
    private readonly ConsumerCancellation cancellation = new();
    private readonly CollectedLogs logs = new();
    private bool isLogRead;

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        await Channel.QueueDeclareAsync(Queue, durable: false, exclusive: false, autoDelete: false);
    }

    [Fact]
    public async Task A_rejected_message_has_its_headers_and_the_reason()
    {
        await Channel.QueueDeclareAsync(Dead, durable: false, exclusive: false, autoDelete: false);
        var message = await MessageAsync(new Dictionary<string, object?> { ["origin"] = "another program" });

        await Acknowledger().RejectAsync(message, "It is not JSON.", CancellationToken.None);

        var dead = (await Channel.BasicGetAsync(Dead, autoAck: true)).ShouldNotBeNull();
        dead.Body.ToArray().ShouldBe(message.Body.ToArray());
        dead.BasicProperties.ContentType.ShouldBe(Topology.ContentType);
        // The client adds a number of its own to each message that it publishes.
        var texts = dead.BasicProperties.Headers!.Where(header => header.Value is byte[]);
        texts.ToDictionary(header => header.Key, header => Text(header.Value)).ShouldBe(
            new Dictionary<string, string>
            {
                ["origin"] = "another program", [Topology.ReasonHeader] = "It is not JSON.",
            },
            ignoreOrder: true);
        cancellation.Reason.ShouldBeNull();
        isLogRead.ShouldBeTrue("its events are read from the log");
    }

    [Fact]
    public async Task A_message_that_the_dead_letters_do_not_take_stays_in_its_queue_and_holds_up_no_stop()
    {
        var message = await MessageAsync([]);
        using var stop = new CancellationTokenSource();
        var rejecting = Acknowledger().RejectAsync(message, "It is not JSON.", stop.Token);
        await Eventually.Holds(
            () => logs.Lines.Any(line => line.Contains("waits in its queue", StringComparison.Ordinal)), "it waits");
        rejecting.IsCompleted.ShouldBeFalse();

        await stop.CancelAsync();
        await rejecting.WaitAsync(TimeSpan.FromSeconds(10));

        await Channel.BasicNackAsync(message.Tag, multiple: false, requeue: true);
        (await Channel.BasicGetAsync(Queue, autoAck: true)).ShouldNotBeNull();
        logs.Lines.Count(line => line.Contains("waits in its queue", StringComparison.Ordinal)).ShouldBe(1);
    }

    [Fact]
    public async Task A_process_that_stops_does_not_wait_until_the_dead_letters_have_room()
    {
        await Channel.QueueDeclareAsync(
            Dead, durable: false, exclusive: false, autoDelete: false,
            new Dictionary<string, object?> { ["x-max-length"] = 0, ["x-overflow"] = "reject-publish" });
        var message = await MessageAsync([]);
        using var stopping = new CancellationTokenSource();
        var rejecting = Acknowledger(stopping.Token).RejectAsync(message, "It is not JSON.", CancellationToken.None);
        await Eventually.Holds(() => !logs.Lines.IsEmpty, "the queue has refused the message");

        await stopping.CancelAsync();
        await rejecting.WaitAsync(TimeSpan.FromSeconds(15));

        cancellation.Reason.ShouldBeNull("the other messages are still acknowledged");
        await Channel.BasicNackAsync(message.Tag, multiple: false, requeue: true);
        (await Channel.BasicGetAsync(Queue, autoAck: true)).ShouldNotBeNull();
    }

    [Fact]
    public async Task A_failure_before_the_acknowledgement_ends_the_consumer_with_its_reason()
    {
        var failure = new InvalidOperationException("A mistake.");

        await Acknowledger().AcknowledgeAsync([], Task.FromException(failure));
        await Acknowledger().AcknowledgeAsync([], Task.FromException(new InvalidOperationException("A later one.")));

        cancellation.Reason.ShouldBe(failure);
        cancellation.Token.IsCancellationRequested.ShouldBeTrue();
    }

    public override async Task DisposeAsync()
    {
        await cancellation.DisposeAsync();
        logs.Dispose();
        await base.DisposeAsync();
    }

    private Acknowledger Acknowledger(CancellationToken stopping = default) => new(
        Channel, Channel, Dead, () => isLogRead = true, cancellation, TimeProvider.System, logs, stopping);

    private async Task<Message> MessageAsync(Dictionary<string, object?> headers)
    {
        var properties = new BasicProperties { ContentType = Topology.ContentType, Headers = headers };
        await Channel.BasicPublishAsync("", Queue, mandatory: true, properties, "not json"u8.ToArray());
        var got = (await Channel.BasicGetAsync(Queue, autoAck: false)).ShouldNotBeNull();
        return new Message(got.DeliveryTag, got.Body.ToArray(), got.BasicProperties);
    }

    private static string Text(object? header) => Encoding.UTF8.GetString((byte[])header!);
}
