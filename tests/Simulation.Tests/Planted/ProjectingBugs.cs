using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;

namespace ApexShop.Simulation.Tests.Planted;

/// <summary>A transaction that forwards every call; a bug changes one of them.</summary>
internal class OtherTransaction(IProjectionTransaction transaction) : IProjectionTransaction
{
    public virtual Task<ProjectionState> LockAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct) =>
        transaction.LockAsync(batches, ct);

    public virtual Task ApplyAsync(
        string resource, IReadOnlyList<StateChange> changes, Invalidations invalidations, CancellationToken ct) =>
        transaction.ApplyAsync(resource, changes, invalidations, ct);

    public Task<string?> TryAsync(Func<Task> work, CancellationToken ct) => transaction.TryAsync(work, ct);

    public void Park(EventParking parking) => transaction.Park(parking);

    public void RaiseSegments(Invalidations invalidations, long position) =>
        transaction.RaiseSegments(invalidations, position);

    public virtual Task<PendingTags> CommitAsync(
        IReadOnlyDictionary<string, LogEntry> reached, PendingTags pending, CancellationToken ct) =>
        transaction.CommitAsync(reached, pending, ct);

    public Task RollbackAsync(CancellationToken ct) => transaction.RollbackAsync(ct);
}

/// <summary>The commit does not store the tags of its changes.</summary>
internal sealed class TagsAreNotStored : Bugs
{
    public override IProjectionTransaction Transaction(IProjectionTransaction transaction) => new Untagged(transaction);

    private sealed class Untagged(IProjectionTransaction transaction) : OtherTransaction(transaction)
    {
        public override async Task<PendingTags> CommitAsync(
            IReadOnlyDictionary<string, LogEntry> reached, PendingTags pending, CancellationToken ct) =>
            await base.CommitAsync(reached, PendingTags.None, ct) with { Tags = pending.Tags };
    }
}

/// <summary>The commit does not store the checkpoints.</summary>
internal sealed class CheckpointIsNotStored : Bugs
{
    public override IProjectionTransaction Transaction(IProjectionTransaction transaction) => new Unmarked(transaction);

    private sealed class Unmarked(IProjectionTransaction transaction) : OtherTransaction(transaction)
    {
        public override Task<PendingTags> CommitAsync(
            IReadOnlyDictionary<string, LogEntry> reached, PendingTags pending, CancellationToken ct) =>
            base.CommitAsync(new Dictionary<string, LogEntry>(), pending, ct);
    }
}

/// <summary>Only the first aggregate of several in a batch is written.</summary>
internal sealed class OneDocumentOfABatch : Bugs
{
    public override IProjectionTransaction Transaction(IProjectionTransaction transaction) => new First(transaction);

    private sealed class First(IProjectionTransaction transaction) : OtherTransaction(transaction)
    {
        public override Task ApplyAsync(
            string resource, IReadOnlyList<StateChange> changes, Invalidations invalidations, CancellationToken ct) =>
            base.ApplyAsync(resource, [.. changes.Take(1)], invalidations, ct);
    }
}

/// <summary>A hole before a message is not seen: its events are applied over it.</summary>
internal sealed class HoleIsNotSeen : Bugs
{
    public override IProjectionTransaction Transaction(IProjectionTransaction transaction) => new Blind(transaction);

    private sealed class Blind(IProjectionTransaction transaction) : OtherTransaction(transaction)
    {
        public override async Task<ProjectionState> LockAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct)
        {
            var state = await base.LockAsync(batches, ct);
            foreach (var batch in batches)
            {
                if (state.Checkpoint(batch.Resource) is var reached && batch.Entries[0].Previous > reached)
                    state.Reach(batch.Resource, batch.Entries[0].Previous, null);
            }

            return state;
        }
    }
}

/// <summary>Two Projectors write at the same time.</summary>
internal sealed class ProjectorsWriteTogether : Bugs
{
    public override bool LocksNothing => true;
}

/// <summary>A message is acknowledged before its events are committed.</summary>
internal sealed class AcknowledgedBeforeTheCommit : Bugs
{
    public override bool AcknowledgesOnDelivery => true;
}

/// <summary>A Projector goes on without its queue.</summary>
internal sealed class EndOfTheQueueIsNotSeen : Bugs
{
    public override bool EndOfTheQueueIsNotSent => true;
}
