using System.Text.Json;
using ApexShop.Events;

namespace ApexShop.Projector.Documents;

/// <summary>An entry and the change it carries, or why it carries none.</summary>
internal readonly record struct Reading(LogEntry Entry, Change? Change, string? Fault)
{
    /// <summary>Reads an event that was stored as it came.</summary>
    public static Reading OfStored(byte[] json, IProjection projection) => Of(CloudEvents.Read(json), projection);

    public static Reading Of(LogEntry entry, IProjection projection)
    {
        try
        {
            return new(entry, new(entry, projection.Read(entry)), null);
        }
        catch (JsonException exception)
        {
            return new(entry, null, exception.Message);
        }
    }
}
