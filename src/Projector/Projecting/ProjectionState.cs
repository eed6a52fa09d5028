using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Projecting;

/// <summary>The checkpoints, parked aggregates and pending cache tags, locked until the transaction ends.</summary>
internal sealed partial class ProjectionState
{
    // Documents get their revisions from this sequence, and only under the lock. The transaction before is visible
    // before its lock is free, so revisions become visible in their order: a reader who has read one will never see a
    // lower one appear. They begin at the time in microseconds, so that they are higher than any before also after a
    // read schema was restored, or a replica promoted that lacked the last writes. A sequence that is near the clock,
    // or ahead of it, is not written: a rebuild takes numbers from it at the same time, and they would be given twice.
    private const string RaiseRevisionsSql = """
        SELECT CASE WHEN last_value + 100000 < now.microseconds THEN setval('read.revisions', now.microseconds) END
        FROM read.revisions, (
            SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS microseconds) AS now
        """;

    // Not known in a schema that was restored: no event is applied until it has another epoch.
    private const string LogIdSql = """
        SELECT CASE WHEN origin = read.origin() THEN log_id END
        FROM read.projection_state
        """;

    // Not of a log without an identity: its documents have no other epoch to wait for.
    private const string IsRestoredSql = """
        SELECT log_id IS NOT NULL AND origin IS DISTINCT FROM read.origin()
        FROM read.projection_state
        """;

    private readonly Dictionary<string, long> checkpoints = [];
    private readonly Dictionary<string, Guid?> events = [];
    private readonly Dictionary<string, HashSet<int>> parked = [];

    public PendingTags Pending { get; set; } = PendingTags.None;

    /// <summary>The identity of the event log that the documents are from; null while it is not known.</summary>
    public string? LogId { get; set; }

    public long Checkpoint(string resource) => checkpoints[resource];

    /// <summary>The id of the event at the checkpoint; null if it was not stored.</summary>
    public Guid? Event(string resource) => events[resource];

    /// <summary>The aggregates of the resource's batch that have a parked event.</summary>
    public IReadOnlySet<int> Parked(string resource) => parked[resource];

    /// <summary>Sets the checkpoint of a resource.</summary>
    public void Reach(string resource, long position, Guid? id) =>
        (checkpoints[resource], events[resource]) = (position, id);

    /// <summary>Begins the set of the parked aggregates of a resource, which is empty at first.</summary>
    public HashSet<int> StartParked(string resource) => parked[resource] = [];

    // The one row of projection_state is locked before anything is read. Documents show values of other kinds, so two
    // Projectors must not run at the same time even when their messages are of different resources.
    public static async Task<ProjectionState> LockAsync(
        StatementBatch statements, IReadOnlyList<EventBatch> batches, CancellationToken ct)
    {
        var state = new ProjectionState();
        statements.Add(PendingTags.SelectSql + " FOR UPDATE", row => state.Pending = PendingTags.From(row));
        statements.Add(RaiseRevisionsSql, _ => { });
        statements.Add(
            LogIdSql,
            row => state.LogId = row.IsDBNull(0) ? null : row.GetString(0));
        statements.Add(
            "SELECT resource, position, event_id FROM read.checkpoints WHERE resource = ANY($1) FOR UPDATE",
            row => state.Reach(row.GetString(0), row.GetInt64(1), row.IsDBNull(2) ? null : row.GetGuid(2)),
            Parameter(batches.Select(batch => batch.Resource).ToArray()));
        foreach (var batch in batches)
        {
            var aggregates = state.StartParked(batch.Resource);
            statements.Add(
                EventParking.AggregatesSql,
                row => aggregates.Add(row.GetInt32(0)),
                Parameter(batch.Resource),
                Parameter(batch.Entries.Select(entry => entry.AggregateId).Distinct().ToArray()));
        }

        await statements.RunAsync(ct);
        return state;
    }

    /// <summary>
    /// Locks the state for a change of documents without a message, and gives the pending tags and the highest
    /// checkpoint. It takes only the lock that a batch takes first, so there can be no deadlock with one.
    /// </summary>
    /// <exception cref="EventLogException">The documents were restored and do not have another epoch yet.</exception>
    public static async Task<(PendingTags Pending, long Position)> LockAsync(
        StatementBatch statements, CancellationToken ct)
    {
        var pending = PendingTags.None;
        var (position, isRestored) = (0L, false);
        statements.Add(PendingTags.SelectSql + " FOR UPDATE", row => pending = PendingTags.From(row));
        statements.Add(RaiseRevisionsSql, _ => { });
        statements.Add(IsRestoredSql, row => isRestored = row.GetBoolean(0));
        statements.Add("SELECT max(position) FROM read.checkpoints", row => position = row.GetInt64(0));
        await statements.RunAsync(ct);
        return isRestored
            ? throw new EventLogException("The documents were restored and are not compared with the event log yet.")
            : (pending, position);
    }
}
