using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.Resources;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;
using Npgsql;

namespace ApexShop.Simulation.Tests.Reading;

/// <summary>
/// A transaction of a Projector with the model of schema read. It writes a document as the projections do: where the
/// version is newer, a tombstone for a deletion, and the products that show a category's name.
/// </summary>
internal sealed class ReadTransaction(SimulatedProcess process, ReadServer read, Network network)
    : IProjectionTransaction
{
    public Dictionary<(string Resource, int Id), DocumentRow> Written { get; } = [];

    public Dictionary<string, (long Position, Guid? Id)> Reached { get; } = [];

    public bool IsEnded { get; set; }

    /// <summary>When the session last did something; the server ends one that hangs in a transaction.</summary>
    public long LastUsed { get; private set; }

    public Task<ProjectionState> LockAsync(IReadOnlyList<EventBatch> batches, CancellationToken ct) =>
        CallAsync<ProjectionState>("lock state", reply => read.Lock(this, () => reply.Give(State(batches))), ct);

    public Task ApplyAsync(
        string resource, IReadOnlyList<StateChange> changes, Invalidations invalidations, CancellationToken ct) =>
        CallAsync<bool>(
            "apply",
            reply =>
            {
                foreach (var change in changes) Write(resource, change.State, invalidations);
                reply.Give(true);
            },
            ct);

    public Task<string?> TryAsync(Func<Task> work, CancellationToken ct) =>
        throw new NotSupportedException("No value of the schedule is refused.");

    public void Park(EventParking parking)
    {
        if (parking.Parked.Count > 0) throw new NotSupportedException("No event of the schedule is parked.");
    }

    public void RaiseSegments(Invalidations invalidations, long position)
    {
        // Segments are no part of the model.
    }

    public Task<PendingTags> CommitAsync(
        IReadOnlyDictionary<string, LogEntry> reached, PendingTags pending, CancellationToken ct) =>
        CallAsync<PendingTags>(
            "commit",
            reply =>
            {
                foreach (var (resource, entry) in reached) Reached[resource] = (entry.Position, entry.Id);
                reply.Give(read.Commit(this, pending));
            },
            ct);

    public Task RollbackAsync(CancellationToken ct) => CallAsync<bool>(
        "rollback",
        reply =>
        {
            read.End(this);
            reply.Give(true);
        },
        ct);

    private Task<T> CallAsync<T>(string name, Action<Reply<T>> effect, CancellationToken ct) => network.CallAsync<T>(
        process,
        read.Server,
        name,
        reply =>
        {
            if (IsEnded) throw new ServerException(new NpgsqlException("The session has ended."));
            LastUsed = network.Scheduler.Now;
            effect(reply);
        },
        ct);

    private ProjectionState State(IReadOnlyList<EventBatch> batches)
    {
        var state = new ProjectionState { Pending = read.Pending(), LogId = Writing.ShopServer.LogId };
        foreach (var batch in batches)
        {
            var (position, id) = read.Checkpoints[batch.Resource];
            state.Reach(batch.Resource, position, id);
            state.StartParked(batch.Resource);
        }

        return state;
    }

    private DocumentRow? Row(string resource, int id) =>
        Written.GetValueOrDefault((resource, id)) ?? read.Documents.GetValueOrDefault((resource, id));

    private void Write(string resource, IAggregateState state, Invalidations invalidations)
    {
        var before = Row(resource, state.Id);
        if (before is not null && before.Version >= state.Version) return;
        var category = (state as ProductState)?.CategoryId ?? 0;
        var shown = state is ProductState ? NameOf(category) : (state as CategoryState)?.Name ?? "";
        Save(resource, state.Id, new(state.Version, category, shown, 0, state is DeletedState), invalidations);
        if (state is not CategoryState renamed) return;
        foreach (var (kind, id) in read.Documents.Keys.Union(Written.Keys).Order().ToList())
        {
            if (kind != Resource.Products.Name || Row(kind, id) is not { IsDeleted: false } product) continue;
            if (product.Category == renamed.Id && product.Shown != renamed.Name)
                Save(kind, id, product with { Shown = renamed.Name }, invalidations);
        }
    }

    private void Save(string resource, int id, DocumentRow row, Invalidations invalidations)
    {
        var before = Row(resource, id);
        Written[(resource, id)] = row with { Revision = read.NextRevision() };
        invalidations.AddDocument(resource, id);
        foreach (var category in new[] { before?.Category ?? 0, row.Category }.Where(category => category > 0))
            invalidations.AddList(Resource.Categories.Name, category, resource);
    }

    private string NameOf(int category) => Row(Resource.Categories.Name, category)?.Shown ?? "";
}
