using System.Diagnostics;

namespace ApexShop.Telemetry;

/// <summary>
/// Work on events continues the traces of the requests that caused them: that of a single request as its child, those of
/// several as a span of its own with a link to each.
/// </summary>
public static class LinkedSpans
{
    // What a span may have by the standard's default; the others are found by their own traces' neighbours.
    private const int MostLinks = 128;

    /// <summary>
    /// A span of <paramref name="source"/>, or null when nobody records one. <paramref name="nearest"/> is a step that
    /// came between: the parent, if it belongs to the same single trace.
    /// </summary>
    public static Activity? StartLinked(
        this ActivitySource source, string name, ActivityKind kind, IEnumerable<string?> traceParents, ActivityContext nearest = default)
    {
        if (!source.HasListeners()) return null;
        var requests = traceParents.OfType<string>().Distinct(StringComparer.Ordinal).Take(MostLinks).Select(Context).OfType<ActivityContext>().ToList();
        if (requests is [var only])
            return source.StartActivity(name, kind, nearest.TraceId == only.TraceId ? nearest : only);

        var before = Activity.Current;
        // Otherwise whatever happens to run now would become the parent.
        Activity.Current = null;
        var links = requests.Append(nearest).Where(context => context != default).Select(context => new ActivityLink(context));
        var span = source.StartActivity(name, kind, default(ActivityContext), links: links);
        if (span is null) Activity.Current = before;
        return span;
    }

    private static ActivityContext? Context(string traceParent) =>
        ActivityContext.TryParse(traceParent, null, isRemote: true, out var context) ? context : null;
}
