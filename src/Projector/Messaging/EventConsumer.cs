using ApexShop.Projector.Batches;
using ApexShop.Projector.Hosting;
using ApexShop.Projector.ReadModels;
using MassTransit;
using Npgsql;

namespace ApexShop.Projector.Messaging;

/// <summary>Applies messages in the order of the queue; the broker forgets a message when this returns.</summary>
internal sealed class EventConsumer(
    BatchLine line, Projections projections, TimeProvider clock, ILogger<EventConsumer> logger)
    : IConsumer<EventMessage>
{
    private static readonly TimeSpan firstPause = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan longestPause = TimeSpan.FromSeconds(5);

    public async Task Consume(ConsumeContext<EventMessage> context)
    {
        var ct = context.CancellationToken;
        using var place = line.Enter(Delivery(context));
        var batch = EventBatch.FromMessage(context.Message.Body);
        batch.Read(projections[batch.Resource]);
        for (var pause = firstPause; ; pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, longestPause.Ticks)))
        {
            try
            {
                await place.ApplyAsync(batch, ct);
                return;
            }
            // The message is not at fault when the database or the log is away: it stays first in line meanwhile.
            catch (Exception exception) when (exception is NpgsqlException or EventLogException)
            {
                if (pause == firstPause) logger.ProjectionWaits(batch.Resource, batch.Last, exception.Message);
            }

            await Task.Delay(pause, clock, ct);
        }
    }

    private static Delivery Delivery(ConsumeContext context)
    {
        var delivered = context.ReceiveContext.GetPayload<RabbitMqBasicConsumeContext>();
        return new(delivered.ConsumerTag, delivered.DeliveryTag);
    }
}
