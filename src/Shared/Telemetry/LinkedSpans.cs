using System.Diagnostics;

namespace ApexShop.Telemetry;

/// <summary>
/// Starts spans for work on events. The events of one request are processed in a child span of that request; the events
/// of several requests are processed in a new trace with a link to each request.
/// </summary>
public static class LinkedSpans
{
    // The default limit of OpenTelemetry for the links of a span.
    private const int MaxLinks = 128;

    /// <summary>
    /// Starts a span; null when <paramref name="source"/> has no listener. <paramref name="sender"/> is the span that
    /// sent the events; it becomes the parent if all events belong to its trace.
    /// </summary>
    public static Activity? StartLinked(
        this ActivitySource source,
        string name,
        ActivityKind kind,
        IEnumerable<string?> traceParents,
        ActivityContext sender = default)
    {
        if (!source.HasListeners()) return null;
        var requests = traceParents.OfType<string>().Distinct(StringComparer.Ordinal).Take(MaxLinks)
            .Select(Context).OfType<ActivityContext>().ToList();
        if (requests is [var only])
            return source.StartActivity(name, kind, sender.TraceId == only.TraceId ? sender : only);

        var before = Activity.Current;
        // Otherwise the current activity would become the parent.
        Activity.Current = null;
        var links = requests.Append(sender)
            .Where(context => context != default).Select(context => new ActivityLink(context));
        var span = source.StartActivity(name, kind, default(ActivityContext), links: links);
        if (span is null) Activity.Current = before;
        return span;
    }

    private static ActivityContext? Context(string traceParent) =>
        ActivityContext.TryParse(traceParent, null, isRemote: true, out var context) ? context : null;
}
