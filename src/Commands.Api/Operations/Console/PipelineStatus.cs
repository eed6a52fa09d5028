using ApexShop.Operations;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>How the events come from the commands to the queries: the answer of GET /admin/pipeline.</summary>
/// <param name="Log">What this process knows by its own database.</param>
/// <param name="Projection">What a Projector says, and how far behind the log that is.</param>
/// <param name="Cache">What the Queries.Api processes count.</param>
internal sealed record PipelineStatus(LogPart Log, ProjectionPart Projection, CachePart Cache);

/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="Leader">Who moves and publishes events: this process, another or none.</param>
/// <param name="Outbox">Events that wait for their position, counted up to 100,000.</param>
/// <param name="OutboxAgeSeconds">How long the oldest of them has waited.</param>
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
/// <param name="Processes">Every Projector that is configured; the status is that of the first one that answers.</param>
/// <param name="Status">Where the documents stand.</param>
/// <param name="QueueDepth">Messages in the Projector's queue that no Projector has taken, as its metrics tell.</param>
/// <param name="LagEvents">Events of the log that are not applied yet, counted up to a million a resource.</param>
/// <param name="LagSeconds">Age of the oldest of them.</param>
/// <param name="Lag">The same by resource.</param>
/// <param name="Visible">How long changes took until every query showed them, counted by the Projectors since they started.</param>
/// <param name="Rebuild">The rebuild that runs, or the last one.</param>
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
    public ProjectionPart Behind(IReadOnlyDictionary<string, ResourceLag>? lag) => lag is null
        ? this
        : this with { Lag = lag, LagEvents = lag.Values.Sum(one => one.Events), LagSeconds = lag.Values.Select(one => one.Seconds).DefaultIfEmpty().Max() };
}

/// <param name="Events">Events of the resource that are not applied yet.</param>
/// <param name="Seconds">Age of the oldest of them.</param>
internal sealed record ResourceLag(long Events, double Seconds);

/// <param name="State">What became of it: none, running, done or failed.</param>
/// <param name="Phase">What it does, or did last.</param>
/// <param name="Cause">Why it was started.</param>
/// <param name="Done">Documents that it has copied.</param>
/// <param name="Total">Documents that it has to copy.</param>
/// <param name="Seconds">How long it runs, or ran.</param>
/// <param name="Failure">Why it failed.</param>
internal sealed record RebuildPart(string State, string Phase, string Cause, long Done, long Total, double Seconds, string? Failure)
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

/// <param name="Seconds">The time; null where there is no bound.</param>
/// <param name="Changes">Changes that took so long or less.</param>
internal sealed record VisibleBucket(double? Seconds, long Changes);

/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="MemoryHitRatio">Share of all answers that came from a process's memory, since the processes started.</param>
/// <param name="RedisHitRatio">Share of all answers that came from Redis.</param>
/// <param name="Processes">Every Queries.Api that is configured.</param>
internal sealed record CachePart(string State, double? MemoryHitRatio, double? RedisHitRatio, IReadOnlyList<CacheProcess> Processes);

/// <param name="Url">Where it is.</param>
/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="Reason">Code of the error that it answered with.</param>
internal sealed record ProcessPart(string Url, string State, string? Reason);

/// <param name="Url">Where it is.</param>
/// <param name="State">One of <see cref="PartState"/>.</param>
/// <param name="Reason">Code of the error that it answered with.</param>
/// <param name="Counts">What it has counted since its start.</param>
internal sealed record CacheProcess(string Url, string State, string? Reason, CacheCounts? Counts);

/// <param name="MemoryHits">Answers from its memory.</param>
/// <param name="RedisHits">Answers from Redis.</param>
/// <param name="Misses">Answers that were read from the database.</param>
internal sealed record CacheCounts(long MemoryHits, long RedisHits, long Misses);

/// <summary>What a part of the shop says of itself, or its silence.</summary>
internal static class PartState
{
    public const string Ok = "ok";

    /// <summary>It does not answer in time, or cannot tell.</summary>
    public const string Unavailable = "unavailable";

    /// <summary>It answers, but not to this key.</summary>
    public const string Refused = "refused";

    /// <summary>Of several processes: what one of them tells is known.</summary>
    public static string OfAny(IEnumerable<string> states)
    {
        var all = states.ToHashSet(StringComparer.Ordinal);
        return all.Contains(Ok) ? Ok : all.Contains(Refused) ? Refused : Unavailable;
    }
}
