using System.Diagnostics;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry;

namespace ApexShop.Projector.Projecting;

/// <summary>Spans of applying events, which belong to the traces of the requests that caused the events.</summary>
internal static class ProjectionSpans
{
    /// <summary>A span for applying batches: the child of their only request, or linked to each of several.</summary>
    public static Activity? Apply(IReadOnlyList<EventBatch> batches)
    {
        if (!ProjectorMeter.Activities.HasListeners()) return null;
        var span = ProjectorMeter.Activities.StartLinked(
            "apply",
            ActivityKind.Consumer,
            batches.SelectMany(batch => batch.Entries).Select(entry => entry.TraceParent),
            batches is [var single] ? single.Received : default);
        span?.SetTag("messaging.batch.message_count", batches.Sum(batch => batch.Entries.Count));
        span?.SetTag("apexshop.resources", string.Join(' ', batches.Select(batch => batch.Resource)));
        return span;
    }
}
