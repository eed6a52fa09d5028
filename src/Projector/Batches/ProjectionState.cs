using ApexShop.Projector.Caching;
using ApexShop.Projector.ReadModels;

namespace ApexShop.Projector.Batches;

/// <summary>Where the projection of a resource stands, locked until the transaction ends.</summary>
internal sealed class ProjectionState
{
    private readonly HashSet<int> parked = [];

    private ProjectionState()
    {
    }

    public long Checkpoint { get; private set; }

    public PendingTags Pending { get; private set; } = new([], 0);

    /// <summary>The aggregates of the batch that have a parked event.</summary>
    public IReadOnlySet<int> Parked => parked;

    // The one row of projection_state is locked before anything is read: documents show values of other kinds, so two
    // projectors must take turns even when their messages are of different resources.
    public static async Task<ProjectionState> LockAsync(Round round, EventBatch batch, CancellationToken ct)
    {
        var state = new ProjectionState();
        round.Add(PendingTags.SelectSql + " FOR UPDATE", row => state.Pending = PendingTags.From(row));
        round.Add(
            "SELECT position FROM read.checkpoints WHERE resource = $1 FOR UPDATE",
            row => state.Checkpoint = row.GetInt64(0),
            Round.Parameter(batch.Resource));
        round.Add(
            "SELECT DISTINCT aggregate_id FROM read.parked_events WHERE resource = $1 AND aggregate_id = ANY($2)",
            row => state.parked.Add(row.GetInt32(0)),
            Round.Parameter(batch.Resource),
            Round.Parameter(batch.Entries.Select(entry => entry.AggregateId).ToArray()));
        await round.RunAsync(ct);
        return state;
    }

    /// <summary>Stores the new checkpoint with the tags still to be raised, and commits.</summary>
    public static async Task<PendingTags> CommitAsync(
        Round round, string resource, long checkpoint, string[] pending, CancellationToken ct)
    {
        var version = 0u;
        round.Add(
            "UPDATE read.projection_state SET pending_tags = $1 RETURNING xmin",
            row => version = row.GetFieldValue<uint>(0),
            Round.Parameter(pending));
        round.Add(
            "UPDATE read.checkpoints SET position = $2 WHERE resource = $1",
            Round.Parameter(resource),
            Round.Parameter(checkpoint));
        round.Add("COMMIT");
        await round.RunAsync(ct);
        return new(pending, version);
    }
}
