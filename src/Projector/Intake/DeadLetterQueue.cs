using ApexShop.Messaging;
using MassTransit;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Where the bus moves a message that could not be read, and from where a consumer of our own puts it into the database.
/// </summary>
internal sealed class DeadLetterQueue : IErrorQueueNameFormatter
{
    private const long MostBytes = 1L << 30;

    public string FormatErrorQueueName(string queueName) => Topology.DeadLettersOf(queueName);

    /// <summary>What the queue is declared with, by the bus as by its consumer: two declarations must say the same.</summary>
    public static void Configure(IRabbitMqQueueConfigurator queue)
    {
        queue.SetQuorumQueue();
        // What the error queue would inherit; the broker lets nobody look into a queue with a single active consumer.
        queue.SingleActiveConsumer = false;
        queue.SetQueueArgument("x-max-length-bytes", MostBytes);
        // Never the default, which makes room by dropping what came first.
        queue.SetQueueArgument("x-overflow", "reject-publish");
    }
}
