using System.Text;
using ApexShop.Messaging;
using Microsoft.Extensions.Options;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Stores messages that cannot be read in the database, whole. One that is delivered again after a crash is the same
/// dead letter.
/// </summary>
internal sealed class DeadLetterConsumer(
    DeadLetters letters, IOptions<MessagingOptions> options, TimeProvider clock, ILogger<DeadLetterConsumer> logger)
{
    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public async Task StartAsync(IChannel channel, CancellationTokenSource lost, CancellationToken ct)
    {
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, message) => StoreAsync(channel, message, ct);
        consumer.UnregisteredAsync += (_, _) => lost.CancelAsync();
        await channel.BasicQosAsync(0, prefetchCount: 4, global: false, ct);
        await channel.BasicConsumeAsync(Topology.DeadLettersOf(options.Value.Queue), autoAck: false, consumer, ct);
    }

    private async Task StoreAsync(IChannel channel, BasicDeliverEventArgs message, CancellationToken ct)
    {
        var properties = message.BasicProperties;
        var reason = properties.Headers?.TryGetValue(Acknowledger.ReasonHeader, out var header) is true
            && header is byte[] text
            ? Encoding.UTF8.GetString(text)
            : "It was put into this queue.";
        for (var isReported = false; !ct.IsCancellationRequested; isReported = true)
        {
            try
            {
                await letters.SaveAsync(message.Body, properties.ContentType, reason, ct);
                await channel.BasicAckAsync(message.DeliveryTag, multiple: false, ct);
                logger.DeadLetterKept(message.Body.Length, reason);
                return;
            }
            catch (Exception exception) when (!ct.IsCancellationRequested)
            {
                if (!isReported) logger.DeadLetterWaits(exception.Message);
            }

            await Task.Delay(pause, clock, ct).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
