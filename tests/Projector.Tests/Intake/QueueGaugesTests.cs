using ApexShop.Projector.Intake;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Telemetry;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;

namespace ApexShop.Projector.Tests.Intake;

public sealed class QueueGaugesTests(ReadStore store) : QueueTest(store)
{
    [Fact]
    public async Task The_backlog_shows_while_no_Projector_consumes_and_a_queue_that_is_not_declared_yet_is_no_failure()
    {
        using var logs = new CollectedLogs();
        using var metered = new MeterReader(Projector.Meters);
        await using var probe = Probe(Servers.RabbitMq);
        using var gauges = new QueueGauges(
            probe,
            Projector.Meters,
            Options.Create(new TelemetryOptions { SampleSeconds = 1 }),
            TimeProvider.System,
            logs.CreateLogger<QueueGauges>());
        await gauges.StartAsync(CancellationToken.None);
        await Eventually.Holds(() => metered.Read().Value("apexshop_queue_messages") == 0, "an empty queue");

        await Channel.QueueDeclareAsync(Queue, durable: false, exclusive: false, autoDelete: false);
        await Channel.BasicPublishAsync("", Queue, "waits"u8.ToArray());

        await Eventually.Holds(() => metered.Read().Value("apexshop_queue_messages") == 1, "the message is counted");
        metered.Read().Value("apexshop_queue_consumers").ShouldBe(0);
        logs.Lines.ShouldBeEmpty();
        await gauges.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task Without_a_queue_or_a_broker_no_messages_are_known()
    {
        await using (var unreachable = Probe(new Uri("amqp://127.0.0.1:1/")))
            (await unreachable.HasMessagesAsync(CancellationToken.None)).ShouldBeFalse();

        await using var probe = Probe(Servers.RabbitMq);
        (await probe.HasMessagesAsync(CancellationToken.None)).ShouldBeFalse();
        await Channel.QueueDeclareAsync(Queue, durable: false, exclusive: false, autoDelete: false);
        (await probe.HasMessagesAsync(CancellationToken.None)).ShouldBeFalse();

        await Channel.BasicPublishAsync("", Queue, "waits"u8.ToArray());
        await Eventually.Holds(() => probe.HasMessagesAsync(CancellationToken.None), "the message is counted");
    }

    [Fact]
    public void The_state_of_the_broker_is_known_before_the_first_connection()
    {
        using var logs = new CollectedLogs();
        using var metered = new MeterReader(Projector.Meters);
        using var connection = new BrokerConnection(
            null!, null!, null!, Projector.Meters, TimeProvider.System, logs.CreateLogger<BrokerConnection>());

        metered.Read().Value("apexshop_broker_up").ShouldBe(0);
    }

    private QueueProbe Probe(Uri broker) =>
        new(Options.Create(new MessagingOptions { Url = broker.ToString(), Queue = Queue }));
}
