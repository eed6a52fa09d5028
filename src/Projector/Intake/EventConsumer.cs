using System.Text.Json;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using MassTransit;
using Npgsql;

namespace ApexShop.Projector.Intake;

/// <summary>Applies messages in the order of the queue; the broker forgets a message when this returns.</summary>
internal sealed class EventConsumer(
    BatchLine line, Projections projections, LogWatch watch, TimeProvider clock, ILogger<EventConsumer> logger)
    : IConsumer<EventMessage>
{
    private static readonly TimeSpan firstPause = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan longestPause = TimeSpan.FromSeconds(5);

    public async Task Consume(ConsumeContext<EventMessage> context)
    {
        var ct = context.CancellationToken;
        using var place = line.Enter(Delivery(context));
        var batch = Read(context.Message);
        for (var pause = firstPause; ; pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, longestPause.Ticks)))
        {
            try
            {
                await place.ApplyAsync(batch, ct);
                return;
            }
            // The message is not at fault when the database or the log is unavailable: it stays first in line meanwhile.
            catch (Exception exception) when (exception is NpgsqlException or EventLogException)
            {
                if (pause == firstPause) logger.ProjectionWaits(batch.Resource, batch.Last, exception.Message);
            }

            await Task.Delay(pause, clock, ct);
        }
    }

    // One event that cannot be read makes a dead letter of the whole message; the others of it are in the log.
    private EventBatch Read(EventMessage message)
    {
        try
        {
            var batch = EventBatch.FromMessage(message.Body);
            batch.Read(projections[batch.Resource]);
            return batch;
        }
        catch (JsonException)
        {
            watch.Wake();
            throw;
        }
    }

    private static Delivery Delivery(ConsumeContext context)
    {
        var delivered = context.ReceiveContext.GetPayload<RabbitMqBasicConsumeContext>();
        return new(delivered.ConsumerTag, delivered.DeliveryTag);
    }
}
