using ApexShop.Events;
using ApexShop.Messaging;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Groups the events of one resource into messages, in the order of their positions.</summary>
internal static class EventMessages
{
    // Large messages would hold the memory of the broker and of each consumer, and a confirm would take longer.
    public static IEnumerable<LogEntry[]> Of(IEnumerable<LogEntry> events)
    {
        var (message, bytes) = (new List<LogEntry>(), 0);
        foreach (var entry in events)
        {
            bytes += entry.Data.Length;
            if (message.Count == Topology.MaxEventsPerMessage
                || message.Count > 0 && bytes > Topology.MaxDataPerMessage)
            {
                yield return [.. message];
                message.Clear();
                bytes = entry.Data.Length;
            }

            message.Add(entry);
        }

        if (message.Count > 0) yield return [.. message];
    }
}
