using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Operations;

/// <summary>Aggregates with parked events, by resource and id: the response of GET /admin/parked.</summary>
/// <param name="Items">The page.</param>
/// <param name="Next">The value of <c>after</c> for the next page; null on the last page.</param>
public sealed record ParkedList(IReadOnlyList<ParkedAggregate> Items, string? Next);

/// <summary>An aggregate with parked events.</summary>
/// <param name="Resource">Name of the resource.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="Events">
/// Number of its parked events, counted up to 100,000: the one that could not be applied and the later ones.
/// </param>
/// <param name="FirstPosition">Position of the first parked event.</param>
/// <param name="LastPosition">Position of the last parked event.</param>
/// <param name="Since">Time at which the first event was parked.</param>
/// <param name="Reason">Why the first event was parked.</param>
public sealed record ParkedAggregate(
    string Resource, int Id, int Events, long FirstPosition, long LastPosition, DateTimeOffset Since, string Reason);

/// <summary>The parked events of one aggregate in order: the response of GET /admin/parked/{resource}/{id}.</summary>
/// <param name="Resource">Name of the resource.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="DocumentVersion">Version of its document or tombstone; null when there is none.</param>
/// <param name="Events">The page of events.</param>
/// <param name="Next">The value of <c>after</c> for the next page; null on the last page.</param>
public sealed record ParkedEvents(
    string Resource, int Id, long? DocumentVersion, IReadOnlyList<ParkedEvent> Events, long? Next);

/// <summary>A parked event.</summary>
/// <param name="Position">Its position in the event log.</param>
/// <param name="ParkedAt">Time at which it was parked.</param>
/// <param name="Reason">Why it was parked.</param>
/// <param name="Event">The CloudEvent as it was received.</param>
public sealed record ParkedEvent(long Position, DateTimeOffset ParkedAt, string Reason, JsonElement Event);

/// <summary>The result of replaying the parked events of one aggregate.</summary>
/// <param name="Resource">Name of the resource.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="DryRun">Whether this was a dry run, which changes nothing.</param>
/// <param name="Applied">Number of events that are no longer parked.</param>
/// <param name="Left">
/// Number of events that are still parked. Before the replay they are counted up to 100,000, so there may be more.
/// </param>
/// <param name="VersionBefore">Version of the document before; null when there was none.</param>
/// <param name="VersionAfter">Version of the document after.</param>
/// <param name="Reason">Why the first remaining event could not be applied.</param>
/// <param name="Events">The outcome of each event; omitted when several aggregates are replayed.</param>
public sealed record ParkedReplay(
    string Resource,
    int Id,
    bool DryRun,
    int Applied,
    int Left,
    long? VersionBefore,
    long? VersionAfter,
    string? Reason,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    IReadOnlyList<ReplayedEvent>? Events = null);

/// <summary>The outcome of one replayed event.</summary>
/// <param name="Position">Its position in the event log.</param>
/// <param name="Type">Its CloudEvents type.</param>
/// <param name="Version">The version of its state; null when its data cannot be parsed.</param>
/// <param name="Outcome">
/// <c>applied</c>; <c>passed</c>: the document already has this version or a later one; <c>refused</c>; <c>waits</c>:
/// an earlier event was refused.
/// </param>
/// <param name="Reason">The reason of a refusal.</param>
public sealed record ReplayedEvent(long Position, string Type, long? Version, string Outcome, string? Reason)
{
    public const string Applied = "applied";
    public const string Passed = "passed";
    public const string Refused = "refused";
    public const string Waits = "waits";
}

/// <summary>The result of replaying several aggregates.</summary>
/// <param name="DryRun">Whether this was a dry run, which changes nothing.</param>
/// <param name="Applied">Number of events that are no longer parked.</param>
/// <param name="Left">Number of events of these aggregates that are still parked.</param>
/// <param name="Items">The result of each aggregate.</param>
/// <param name="Next">The value of <c>after</c> for the next page; null when there are no more.</param>
public sealed record ParkedReplays(bool DryRun, int Applied, int Left, IReadOnlyList<ParkedReplay> Items, string? Next);

/// <summary>The result of discarding the parked events of an aggregate.</summary>
/// <param name="Resource">Name of the resource.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="Events">Number of discarded events.</param>
/// <param name="DocumentVersion">Version of the document, which is not changed; null when there is none.</param>
/// <param name="LostVersion">Version of the last discarded event; null when none can be parsed.</param>
/// <param name="Lost">A description of what is lost and how to restore it.</param>
public sealed record ParkedDiscard(
    string Resource, int Id, int Events, long? DocumentVersion, long? LostVersion, string Lost);
