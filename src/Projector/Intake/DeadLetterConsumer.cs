using System.Net.Http.Headers;
using System.Text;
using ApexShop.Messaging;
using ApexShop.Projector.Documents;
using Microsoft.Extensions.Options;
using Npgsql;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Stores messages that cannot be read in the database, whole. One that is delivered again after a crash is the same
/// dead letter.
/// </summary>
internal sealed class DeadLetterConsumer(
    DeadLetters letters, IOptions<MessagingOptions> options, TimeProvider clock, ILogger<DeadLetterConsumer> logger)
{
    private const string NoReason = "It was put into this queue.";

    // One that the database never accepts stays in the queue and keeps one of these places; the others go on.
    private const ushort Prefetch = 16;

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public async Task StartAsync(IChannel channel, ConsumerCancellation cancellation, CancellationToken ct)
    {
        var queue = Topology.DeadLettersOf(options.Value.Queue);
        var consumer = new QueueConsumer(
            channel, message => ReceiveAsync(channel, message, ct), () => cancellation.CancelAsync(channel, queue));
        await channel.BasicQosAsync(0, Prefetch, global: false, ct);
        await channel.BasicConsumeAsync(queue, autoAck: false, consumer, ct);
    }

    private async Task ReceiveAsync(IChannel channel, BasicDeliverEventArgs message, CancellationToken ct)
    {
        try
        {
            var reason = ReasonOf(message.BasicProperties);
            await SaveAsync(message, reason, ct);
            logger.DeadLetterKept(message.Body.Length, reason);
            await channel.BasicAckAsync(message.DeliveryTag, multiple: false, ct);
        }
        catch (Exception exception) when (ct.IsCancellationRequested || exception is OperationInterruptedException)
        {
            // The process stops or the channel is lost: the message stays in the queue.
        }
        catch (Exception exception)
        {
            // Returned to the queue it would arrive again at once; so the broker delivers it with the next connection.
            logger.DeadLetterNotKept(exception, message.Body.Length);
        }
    }

    /// <summary>Waits while the database is unavailable.</summary>
    private async Task SaveAsync(BasicDeliverEventArgs message, string reason, CancellationToken ct)
    {
        // Without parameters, such as the charset.
        var mediaType = MediaTypeHeaderValue.TryParse(message.BasicProperties.ContentType, out var contentType)
            ? contentType.MediaType
            : null;
        for (var isReported = false; ; isReported = true)
        {
            try
            {
                await letters.SaveAsync(message.Body, mediaType, reason, ct);
                return;
            }
            catch (Exception exception) when (exception is PostgresException refused
                ? !StatementBatch.IsDataFault(refused)
                : DeliveryRetry.IsUnavailable(exception))
            {
                if (!isReported) logger.DeadLetterWaits(exception.Message);
            }

            await Task.Delay(pause, clock, ct);
        }
    }

    private static string ReasonOf(IReadOnlyBasicProperties properties) =>
        properties.Headers?.TryGetValue(Topology.ReasonHeader, out var header) is true && header is byte[] text
            ? Encoding.UTF8.GetString(text)
            : NoReason;
}
