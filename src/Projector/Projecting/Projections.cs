using ApexShop.Projector.Categories;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Orders;
using ApexShop.Projector.Products;
using ApexShop.Projector.Reviews;
using ApexShop.Projector.Users;
using ApexShop.Resources;

namespace ApexShop.Projector.Projecting;

/// <summary>All projections, and the order in which a change of one kind updates the documents of others.</summary>
internal sealed class Projections
{
    // A renamed category may change every product; this many documents are loaded and rendered at a time.
    private const int Chunk = 1000;

    private readonly Dictionary<string, IProjection> byKind = ByKind(
    [
        new CategoryProjection(),
        new UserProjection(),
        new ProductProjection(),
        new OrderProjection(),
        new ReviewProjection(),
    ]);

    public IProjection this[string kind] => byKind[kind];

    /// <summary>One projection of each resource.</summary>
    /// <exception cref="InvalidOperationException">A resource has none.</exception>
    internal static Dictionary<string, IProjection> ByKind(IReadOnlyList<IProjection> projections) =>
        Resource.Names.ToDictionary(
            name => name,
            name => projections.SingleOrDefault(projection => projection.Kind == name)
                ?? throw new InvalidOperationException($"The resource '{name}' has no projection."));

    /// <summary>
    /// Applies the changes of one kind, then refreshes the documents of other kinds that show something of them. A
    /// document shows only values of other kinds that events set, never derived ones, so a refresh causes no other.
    /// </summary>
    public async Task ApplyAsync(
        StatementBatch statements,
        string kind,
        IReadOnlyList<StateChange> changes,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var dependents = new DependentDocuments();
        await this[kind].ApplyAsync(statements, changes, dependents, invalidations, ct);
        await RefreshAsync(statements, dependents, changes[^1].Entry.Position, invalidations, ct);
    }

    /// <summary>
    /// Replaces documents of one kind, whatever their rows contain: with those of the changes, and with no row for the
    /// other ids. Gives their revision: the position, or one that is higher than every revision they had.
    /// </summary>
    public async Task<long> RewriteAsync(
        StatementBatch statements,
        string kind,
        int[] ids,
        IReadOnlyList<StateChange> changes,
        long position,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var dependents = new DependentDocuments();
        var deleted = await this[kind].DeleteAsync(statements, ids, dependents, invalidations, ct);
        var revision = Math.Max(position, deleted + 1);
        if (changes.Count > 0)
        {
            var atRevision = changes.Select(
                change => change with { Entry = change.Entry with { Position = revision } });
            await this[kind].ApplyAsync(statements, [.. atRevision], dependents, invalidations, ct);
        }

        await RefreshAsync(statements, dependents, revision, invalidations, ct);
        return revision;
    }

    private async Task RefreshAsync(
        StatementBatch statements,
        DependentDocuments dependents,
        long revision,
        Invalidations invalidations,
        CancellationToken ct)
    {
        if (dependents.AddQueriesTo(statements)) await statements.RunAsync(ct);
        foreach (var (kind, ids) in dependents.Documents)
        {
            foreach (var chunk in ids.Order().Chunk(Chunk))
                await this[kind].RefreshAsync(statements, chunk, revision, invalidations, ct);
        }
    }
}
