using System.Text.Json;
using ApexShop.Projector.Projecting;

namespace ApexShop.Projector.Intake;

/// <summary>Reads messages of the Projector's queue, and those that became dead letters.</summary>
internal static class MessageReader
{
    /// <summary>
    /// The decoded events, or why they cannot be read. Nothing is thrown: one message must not keep the others from
    /// being read.
    /// </summary>
    public static (EventBatch? Batch, string? Refusal) Read(
        ReadOnlyMemory<byte> body, Projections projections, ILogger logger)
    {
        try
        {
            var batch = EventBatch.FromMessage(body);
            batch.Decode(projections[batch.Resource]);
            return (batch, null);
        }
        catch (Exception exception)
        {
            if (exception is not JsonException) logger.MessageNotDecoded(exception, body.Length);
            return (null, exception.Message);
        }
    }
}
