using ApexShop.Operations;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>The state of the pipeline from the commands to the queries: the response of GET /admin/pipeline.</summary>
/// <param name="Log">The outbox and the event log, from the database of the commands.</param>
/// <param name="Projection">The projection, from the Projectors, and how far it is behind the log.</param>
/// <param name="Cache">The caches, from the Queries.Api processes.</param>
/// <param name="Processes">The readiness of every process, with its dependencies.</param>
internal sealed record PipelineStatus(
    LogPart Log, ProjectionPart Projection, CachePart Cache, IReadOnlyList<ProcessHealth> Processes);

/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="Leader">The process that sequences and publishes events: this, another or none.</param>
/// <param name="Outbox">Events without a position yet, counted up to 100,000.</param>
/// <param name="OutboxAgeSeconds">Age of the oldest of them.</param>
/// <param name="Head">Position of the last event.</param>
/// <param name="Published">Position of the last event that the broker has confirmed.</param>
/// <param name="Positions">Position of the last event, by resource.</param>
internal sealed record LogPart(
    string State,
    string? Leader,
    long? Outbox,
    double? OutboxAgeSeconds,
    long? Head,
    long? Published,
    IReadOnlyDictionary<string, long>? Positions)
{
    public static LogPart Unavailable { get; } = new(PartState.Unavailable, null, null, null, null, null, null);
}

/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="Processes">Every configured Projector; the status is that of the first one that responds.</param>
/// <param name="Status">How far the documents have followed the event log.</param>
/// <param name="QueueDepth">Messages in the Projector's queue that were not delivered yet, from its metrics.</param>
/// <param name="LagEvents">
/// Events in the log from the oldest on that the documents of some resource do not show.
/// </param>
/// <param name="LagSeconds">Age of the oldest of them.</param>
/// <param name="Lag">How far the documents of each resource are behind.</param>
/// <param name="Visible">
/// Histogram of the time from a change until all queries show it; empty before the first change.
/// </param>
/// <param name="Rebuild">The running rebuild, or the last one.</param>
internal sealed record ProjectionPart(
    string State,
    IReadOnlyList<ProcessPart> Processes,
    ProjectionStatus? Status,
    long? QueueDepth,
    long? LagEvents,
    double? LagSeconds,
    IReadOnlyDictionary<string, ResourceLag>? Lag,
    IReadOnlyList<VisibleBucket>? Visible,
    RebuildPart? Rebuild)
{
    public ProjectionPart WithLag(DocumentLag? lag) => lag is null
        ? this
        : this with
        {
            Lag = lag.Resources,
            LagEvents = lag.Events,
            LagSeconds = lag.Resources.Values.Select(one => one.Seconds).DefaultIfEmpty().Max(),
        };
}

/// <param name="Events">Events in the log from the oldest on that the documents do not show.</param>
/// <param name="Resources">The same for the events of each resource alone.</param>
internal sealed record DocumentLag(long Events, IReadOnlyDictionary<string, ResourceLag> Resources);

/// <param name="Events">Events of the resource that are not applied yet, counted up to 10,000.</param>
/// <param name="Seconds">Age of the oldest of them.</param>
internal sealed record ResourceLag(long Events, double Seconds)
{
    /// <summary>More are not counted: the console reads them every second, above all while many events wait.</summary>
    public const int MaxCounted = 10_000;
}

/// <param name="State">Its state: none, running, done or failed.</param>
/// <param name="Phase">The current phase, or the last one.</param>
/// <param name="Cause">Why it was started.</param>
/// <param name="Done">Documents copied so far.</param>
/// <param name="Total">Documents to copy.</param>
/// <param name="Seconds">Its duration so far, or in total.</param>
/// <param name="Failure">The reason when it failed.</param>
internal sealed record RebuildPart(
    string State, string Phase, string Cause, long Done, long Total, double Seconds, string? Failure)
{
    public static RebuildPart Of(RebuildStatus rebuild) => new(
        rebuild.State,
        rebuild.Phase,
        rebuild.Cause,
        rebuild.Documents.Values.Sum(one => one.Done),
        rebuild.Documents.Values.Sum(one => one.Total),
        rebuild.Seconds,
        rebuild.Failure);
}

/// <param name="Seconds">Upper bound of the time; null for the last bucket.</param>
/// <param name="Changes">Changes that took at most this time.</param>
internal sealed record VisibleBucket(double? Seconds, long Changes);

/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="MemoryHitRatio">Share of all lookups that were found in a process's memory.</param>
/// <param name="RedisHitRatio">Share of all lookups that were found in Redis.</param>
/// <param name="Processes">Every configured Queries.Api.</param>
internal sealed record CachePart(
    string State, double? MemoryHitRatio, double? RedisHitRatio, IReadOnlyList<CacheProcess> Processes);

/// <param name="Url">Its address.</param>
/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="Reason">The error code of its response.</param>
internal sealed record ProcessPart(string Url, string State, string? Reason);

/// <param name="Url">Its address.</param>
/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="Reason">The error code of its response.</param>
/// <param name="Counts">Its counts since it started.</param>
internal sealed record CacheProcess(string Url, string State, string? Reason, CacheCounts? Counts);

/// <param name="MemoryHits">Lookups found in its memory.</param>
/// <param name="RedisHits">Lookups found in Redis.</param>
/// <param name="Misses">Lookups that had to read the database.</param>
internal sealed record CacheCounts(long MemoryHits, long RedisHits, long Misses);

/// <summary>The state of a part of the pipeline, or of one process.</summary>
internal static class PartState
{
    public const string Ok = "ok";

    /// <summary>It does not respond in time, or its response is not valid.</summary>
    public const string Unavailable = "unavailable";

    /// <summary>It refuses the caller's key.</summary>
    public const string Refused = "refused";

    /// <summary>The best state of several processes: one that responds is enough.</summary>
    public static string OfAny(IEnumerable<string> states)
    {
        var all = states.ToHashSet(StringComparer.Ordinal);
        return all.Contains(Ok) ? Ok : all.Contains(Refused) ? Refused : Unavailable;
    }
}
