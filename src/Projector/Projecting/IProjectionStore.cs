using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;

namespace ApexShop.Projector.Projecting;

/// <summary>The read schema as batches are applied to it.</summary>
internal interface IProjectionStore
{
    /// <summary>Runs the work in a transaction, which is rolled back unless the work commits it.</summary>
    Task<T> InTransactionAsync<T>(Func<IProjectionTransaction, Task<T>> work, CancellationToken ct);
}

/// <summary>
/// Writes documents in a transaction. The statements may be sent later, together with its next ones.
/// </summary>
internal interface IProjectionWriter
{
    /// <summary>
    /// Writes the documents of the changes, where these are newer, and those that show something of them.
    /// </summary>
    Task ApplyAsync(
        string resource, IReadOnlyList<StateChange> changes, Invalidations invalidations, CancellationToken ct);

    /// <summary>
    /// Runs the work after a savepoint. When the database refuses a value, all of the work is rolled back and the
    /// reason is returned.
    /// </summary>
    Task<string?> TryAsync(Func<Task> work, CancellationToken ct);

    /// <summary>Stores what was parked.</summary>
    void Park(EventParking parking);
}

/// <summary>A transaction that applies batches.</summary>
internal interface IProjectionTransaction : IProjectionWriter
{
    /// <summary>Locks the state until the transaction ends.</summary>
    Task<ProjectionState> LockAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct);

    void RaiseSegments(Invalidations invalidations, long position);

    /// <summary>Stores the new checkpoints and the pending tags, and commits.</summary>
    Task<PendingTags> CommitAsync(
        IReadOnlyDictionary<string, LogEntry> reached, PendingTags pending, CancellationToken ct);

    Task RollbackAsync(CancellationToken ct);
}
