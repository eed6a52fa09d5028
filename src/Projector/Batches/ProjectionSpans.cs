using System.Diagnostics;
using ApexShop.Telemetry;

namespace ApexShop.Projector.Batches;

/// <summary>Spans of the Projector: what it makes of messages belongs to the requests that caused the events.</summary>
internal static class ProjectionSpans
{
    private static readonly ActivitySource source = new(ProjectorMetrics.MeterName);

    /// <summary>Applying of batches in one transaction: a child of their only request, or linked to each of several.</summary>
    public static Activity? Apply(IReadOnlyList<EventBatch> batches)
    {
        if (!source.HasListeners()) return null;
        var span = source.StartLinked(
            "apply",
            ActivityKind.Consumer,
            batches.SelectMany(batch => batch.Entries).Select(entry => entry.TraceParent),
            batches is [var single] ? single.Received : default);
        span?.SetTag("messaging.batch.message_count", batches.Sum(batch => batch.Entries.Count));
        span?.SetTag("apexshop.resources", string.Join(' ', batches.Select(batch => batch.Resource)));
        return span;
    }

    /// <summary>Raising of cache tags, after which nobody is answered what was there before.</summary>
    public static Activity? Raise(int tags) =>
        source.StartActivity("raise tags")?.SetTag("apexshop.tags", tags);
}
