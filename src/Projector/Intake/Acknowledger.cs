using System.Diagnostics;
using ApexShop.Hosting;
using ApexShop.Messaging;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>Ends deliveries at the broker.</summary>
/// <param name="channel">The channel of the deliveries.</param>
/// <param name="rejecting">A channel of another connection, on which messages are rejected.</param>
/// <param name="deadLetterQueue">The queue that takes them.</param>
/// <param name="readLog">Reads the events of a rejected message, as far as the event log has them.</param>
/// <param name="cancellation">Ends the consumer after a failure.</param>
/// <param name="clock">Measures the pauses.</param>
/// <param name="logger">Reports a queue that takes no message.</param>
/// <param name="stopping">Is cancelled when the process begins to stop.</param>
internal sealed class Acknowledger(
    IChannel channel,
    IChannel rejecting,
    string deadLetterQueue,
    Action readLog,
    ConsumerCancellation cancellation,
    TimeProvider clock,
    ILogger logger,
    CancellationToken stopping)
    : IAcknowledger
{
    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public async Task AcknowledgeAsync(IReadOnlyList<Delivery> deliveries, Task raised)
    {
        try
        {
            await raised;
            foreach (var delivery in deliveries)
                await channel.BasicAckAsync(delivery.Message.Tag, multiple: false);
        }
        catch (Exception exception)
        {
            await cancellation.CancelAsync(exception);
        }
        finally
        {
            foreach (var delivery in deliveries) delivery.Message.Span?.Dispose();
        }
    }

    public async Task RejectAsync(Message message, string reason, CancellationToken ct)
    {
        using var span = message.Span?.SetStatus(ActivityStatusCode.Error);
        readLog();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, stopping);
        try
        {
            var isReported = false;
            while (await PublishAsync(message, reason, ct) is { } refusal)
            {
                if (!isReported) logger.DeadLetterWaits(refusal);
                isReported = true;
                await Task.Delay(pause, clock, either.Token).WithoutThrowing();
                // A stop does not wait until the queue has room: the message is delivered again to the next process.
                if (stopping.IsCancellationRequested) return;
            }

            await channel.BasicAckAsync(message.Tag, multiple: false, ct);
        }
        catch (Exception exception)
        {
            await cancellation.CancelAsync(exception);
        }
    }

    /// <summary>Null, or why the queue does not take the message: it is full or not there.</summary>
    private async Task<string?> PublishAsync(Message message, string reason, CancellationToken ct)
    {
        var properties = new BasicProperties
        {
            ContentType = message.Properties.ContentType,
            Persistent = true,
            Headers = new Dictionary<string, object?>(message.Properties.Headers ?? new Dictionary<string, object?>())
            {
                [Topology.ReasonHeader] = reason,
            },
        };
        try
        {
            await rejecting.BasicPublishAsync("", deadLetterQueue, mandatory: true, properties, message.Body, ct);
            return null;
        }
        catch (PublishException exception)
        {
            return exception.Message;
        }
    }
}
