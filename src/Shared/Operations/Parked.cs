using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Operations;

/// <summary>Aggregates with parked events, by resource and id: the answer of GET /admin/parked.</summary>
/// <param name="Items">The page.</param>
/// <param name="Next">What <c>after</c> takes to go on; null on the last page.</param>
public sealed record ParkedList(IReadOnlyList<ParkedAggregate> Items, string? Next);

/// <summary>An aggregate whose document waits.</summary>
/// <param name="Resource">One of the five resources.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="Events">Its parked events: the one that could not be applied and the later ones.</param>
/// <param name="FirstPosition">Position of the first of them.</param>
/// <param name="LastPosition">Position of the last of them.</param>
/// <param name="Since">When the first of them was parked.</param>
/// <param name="Reason">Why the first of them was parked.</param>
public sealed record ParkedAggregate(
    string Resource, int Id, int Events, long FirstPosition, long LastPosition, DateTimeOffset Since, string Reason);

/// <summary>The parked events of one aggregate in their order: the answer of GET /admin/parked/{resource}/{id}.</summary>
/// <param name="Resource">One of the five resources.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="DocumentVersion">Version at which its document (or its tombstone) stands; null when there is none.</param>
/// <param name="Events">The page of events.</param>
/// <param name="Next">What <c>after</c> takes to go on; null on the last page.</param>
public sealed record ParkedEvents(
    string Resource, int Id, long? DocumentVersion, IReadOnlyList<ParkedEvent> Events, long? Next);

/// <summary>An event that waits.</summary>
/// <param name="Position">Its place in the event log.</param>
/// <param name="ParkedAt">When it was parked.</param>
/// <param name="Reason">Why.</param>
/// <param name="Event">The CloudEvent as it came.</param>
public sealed record ParkedEvent(long Position, DateTimeOffset ParkedAt, string Reason, JsonElement Event);

/// <summary>What a replay of one aggregate's parked events did, or would do.</summary>
/// <param name="Resource">One of the five resources.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="DryRun">Whether it only tells what would happen; then nothing was changed.</param>
/// <param name="Applied">Events that are parked no longer.</param>
/// <param name="Left">Events that are still parked.</param>
/// <param name="VersionBefore">Version of the document before; null when there was none.</param>
/// <param name="VersionAfter">Version of the document after.</param>
/// <param name="Reason">Why the first of those left could not be applied.</param>
/// <param name="Events">Each event with its outcome; left out where many aggregates are replayed.</param>
public sealed record ParkedReplay(
    string Resource,
    int Id,
    bool DryRun,
    int Applied,
    int Left,
    long? VersionBefore,
    long? VersionAfter,
    string? Reason,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<ReplayedEvent>? Events = null);

/// <summary>What became, or would become, of one event.</summary>
/// <param name="Position">Its place in the event log.</param>
/// <param name="Type">Its CloudEvents type.</param>
/// <param name="Version">The aggregate's version after it; null when the data cannot be read.</param>
/// <param name="Outcome">
/// <c>applied</c>; <c>passed</c>: the document has that version or a later one already; <c>refused</c>; <c>waits</c>: an
/// earlier one was refused.
/// </param>
/// <param name="Reason">Why it was refused.</param>
public sealed record ReplayedEvent(long Position, string Type, long? Version, string Outcome, string? Reason)
{
    public const string Applied = "applied";
    public const string Passed = "passed";
    public const string Refused = "refused";
    public const string Waits = "waits";
}

/// <summary>What a replay of many aggregates did, or would do.</summary>
/// <param name="DryRun">Whether it only tells what would happen.</param>
/// <param name="Applied">Events that are parked no longer.</param>
/// <param name="Left">Events of these aggregates that are still parked.</param>
/// <param name="Items">Each aggregate.</param>
/// <param name="Next">What <c>after</c> takes to go on; null when there are no more.</param>
public sealed record ParkedReplays(bool DryRun, int Applied, int Left, IReadOnlyList<ParkedReplay> Items, string? Next);

/// <summary>What was given up with the parked events of an aggregate.</summary>
/// <param name="Resource">One of the five resources.</param>
/// <param name="Id">Id of the aggregate.</param>
/// <param name="Events">Events that were discarded.</param>
/// <param name="DocumentVersion">Version at which the document stays; null when there is none.</param>
/// <param name="LostVersion">Version of the last of them; null when none can be read.</param>
/// <param name="Lost">In words what is lost, and what brings it back.</param>
public sealed record ParkedDiscard(
    string Resource, int Id, int Events, long? DocumentVersion, long? LostVersion, string Lost);
