using MassTransit;
using Npgsql;

namespace ApexShop.Projector.Intake;

/// <summary>
/// Puts messages that could not be read into the database, whole; the broker forgets one when this returns. A crash
/// after the commit brings the same body again, which is the same letter.
/// </summary>
internal sealed class DeadLetterConsumer(DeadLetters letters, TimeProvider clock, ILogger<DeadLetterConsumer> logger)
    : IConsumer<EventMessage>
{
    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    public async Task Consume(ConsumeContext<EventMessage> context)
    {
        var received = context.ReceiveContext;
        var reason = received.TransportHeaders.Get<string>(MessageHeaders.FaultMessage) ?? "It was put into this queue.";
        for (var waits = false; ; waits = true)
        {
            try
            {
                await letters.SaveAsync(context.Message.Body, received.ContentType?.MediaType, reason, context.CancellationToken);
                logger.DeadLetterKept(context.Message.Body.Length, reason);
                return;
            }
            // The queue keeps it meanwhile.
            catch (NpgsqlException exception)
            {
                if (!waits) logger.DeadLetterWaits(exception.Message);
            }

            await Task.Delay(pause, clock, context.CancellationToken);
        }
    }
}
