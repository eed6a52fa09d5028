using System.Text.Json;
using ApexShop.Events;

namespace ApexShop.Projector.Documents;

/// <summary>An event and the state in its data; <paramref name="Fault"/> is why the data cannot be read.</summary>
internal readonly record struct DecodedEvent(LogEntry Entry, StateChange? Change, string? Fault)
{
    /// <summary>Decodes an event from the JSON in which it was parked.</summary>
    public static DecodedEvent DecodeStored(byte[] json, IProjection projection) =>
        Decode(CloudEvents.Read(json), projection);

    public static DecodedEvent Decode(LogEntry entry, IProjection projection)
    {
        try
        {
            return new(entry, new(entry, projection.ReadState(entry)), null);
        }
        catch (JsonException exception)
        {
            return new(entry, null, exception.Message);
        }
    }
}

/// <summary>An event and the state in it, which is a <see cref="DeletedState"/> for a deletion.</summary>
internal sealed record StateChange(LogEntry Entry, IAggregateState State);
