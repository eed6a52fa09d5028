using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>Ends deliveries at the broker. When their channel is lost, the broker delivers them again.</summary>
internal sealed class Acknowledger(IChannel channel, string deadLetterQueue, TimeProvider clock) : IAcknowledger
{
    /// <summary>The header in which MassTransit, too, sent the reason.</summary>
    public const string ReasonHeader = "MT-Fault-Message";

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public async Task AcknowledgeAsync(Delivery delivery)
    {
        using var processed = delivery.Span;
        await TryAsync(() => channel.BasicAckAsync(delivery.Message.Tag, multiple: false));
    }

    public Task RejectAsync(Message message, string reason) => TryAsync(async () =>
    {
        while (!await TryPublishAsync(message, reason)) await Task.Delay(pause, clock);
        await channel.BasicAckAsync(message.Tag, multiple: false);
    });

    private async Task<bool> TryPublishAsync(Message message, string reason)
    {
        var properties = new BasicProperties
        {
            ContentType = message.ContentType,
            Persistent = true,
            Headers = new Dictionary<string, object?> { [ReasonHeader] = reason },
        };
        try
        {
            await channel.BasicPublishAsync("", deadLetterQueue, mandatory: true, properties, message.Body);
            return true;
        }
        catch (PublishException)
        {
            // The queue is full or not there: the message stays where it is.
            return false;
        }
    }

    private static async Task TryAsync(Func<ValueTask> end)
    {
        try
        {
            await end();
        }
        catch (Exception exception) when (exception is OperationInterruptedException or ObjectDisposedException)
        {
            // The channel is closed.
        }
    }
}
