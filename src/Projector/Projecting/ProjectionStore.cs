using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using Npgsql;

namespace ApexShop.Projector.Projecting;

/// <summary>Transactions of the read schema.</summary>
internal sealed class ProjectionStore(NpgsqlDataSource database, Projections projections) : IProjectionStore
{
    public Task<T> InTransactionAsync<T>(Func<IProjectionTransaction, Task<T>> work, CancellationToken ct) =>
        StatementBatch.InTransactionAsync(
            database,
            (statements, transaction) => work(new ProjectionTransaction(statements, transaction, projections)),
            ct);
}

/// <summary>Writes documents by statements, which may be of any transaction.</summary>
internal class ProjectionWriter(StatementBatch statements, Projections projections) : IProjectionWriter
{
    public Task ApplyAsync(
        string resource, IReadOnlyList<StateChange> changes, Invalidations invalidations, CancellationToken ct) =>
        projections.ApplyAsync(statements, resource, changes, invalidations, ct);

    public Task<string?> TryAsync(Func<Task> work, CancellationToken ct) => statements.TryAsync(work, ct);

    public void Park(EventParking parking) => parking.Save(statements);
}

internal sealed class ProjectionTransaction(
    StatementBatch statements, NpgsqlTransaction transaction, Projections projections)
    : ProjectionWriter(statements, projections), IProjectionTransaction
{
    private readonly StatementBatch statements = statements;
    private readonly Projections projections = projections;

    public Task<ProjectionState> LockAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct) =>
        ProjectionState.LockAsync(statements, batches, ct);

    public void RaiseSegments(Invalidations invalidations, long position) =>
        invalidations.RaiseSegments(statements, position);

    public Task<PendingTags> CommitAsync(
        IReadOnlyDictionary<string, LogEntry> reached, PendingTags pending, CancellationToken ct) =>
        ProjectionState.CommitAsync(statements, reached, projections.Currency, pending, ct);

    public Task RollbackAsync(CancellationToken ct) => transaction.RollbackAsync(ct);
}
