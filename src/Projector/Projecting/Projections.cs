using ApexShop.Projector.Categories;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Orders;
using ApexShop.Projector.Products;
using ApexShop.Projector.Reviews;
using ApexShop.Projector.Users;

namespace ApexShop.Projector.Projecting;

/// <summary>The five projections, and what a change in one means for the others.</summary>
internal sealed class Projections
{
    // A renamed category may touch every product there is; documents are loaded and rendered this many at a time.
    private const int Chunk = 1000;

    private readonly Dictionary<string, IProjection> byKind = new IProjection[]
    {
        new CategoryProjection(),
        new UserProjection(),
        new ProductProjection(),
        new OrderProjection(),
        new ReviewProjection(),
    }.ToDictionary(projection => projection.Kind);

    public IProjection this[string kind] => byKind[kind];

    /// <summary>
    /// Writes the changes of one kind, then derives the documents again that show something of them. What a document
    /// shows of another kind is always a value that the other kind's events set, never a derived one, so nothing
    /// follows from the second step.
    /// </summary>
    public async Task ApplyAsync(
        StatementBatch statements, string kind, IReadOnlyList<StateChange> changes, Invalidations invalidations, CancellationToken ct)
    {
        var dependents = new DependentDocuments();
        var summarise = await this[kind].ApplyAsync(statements, changes, dependents, invalidations, ct);
        await DeriveAsync(statements, dependents, summarise, changes[^1].Entry.Position, invalidations, ct);
    }

    /// <summary>
    /// Writes documents of one kind anew, whatever stands in their rows: those of the changes, and no row for the other
    /// ids. Gives their revision: the position, or what is beyond every revision that they had.
    /// </summary>
    public async Task<long> RewriteAsync(
        StatementBatch statements, string kind, int[] ids, IReadOnlyList<StateChange> changes, long position, Invalidations invalidations, CancellationToken ct)
    {
        var dependents = new DependentDocuments();
        var cleared = await this[kind].DeleteAsync(statements, ids, dependents, invalidations, ct);
        var summarise = cleared.Summarise;
        var revision = Math.Max(position, cleared.Revision + 1);
        if (changes.Count > 0)
        {
            var anew = changes.Select(change => change with { Entry = change.Entry with { Position = revision } }).ToList();
            summarise += await this[kind].ApplyAsync(statements, anew, dependents, invalidations, ct);
        }

        await DeriveAsync(statements, dependents, summarise, revision, invalidations, ct);
        return revision;
    }

    private async Task DeriveAsync(
        StatementBatch statements, DependentDocuments dependents, Action<StatementBatch> summarise, long revision, Invalidations invalidations, CancellationToken ct)
    {
        dependents.Seek(statements);
        await statements.RunAsync(ct);

        // What is added from here on goes with the next read, the last of it with the end of the transaction.
        summarise(statements);
        await RefreshAsync(statements, dependents.Known, revision, invalidations, ct);
        await RefreshAsync(statements, dependents.Found, revision, invalidations, ct);
    }

    private async Task RefreshAsync(
        StatementBatch statements,
        IReadOnlyDictionary<string, HashSet<int>> dependents,
        long revision,
        Invalidations invalidations,
        CancellationToken ct)
    {
        foreach (var (kind, ids) in dependents)
        {
            foreach (var chunk in ids.Order().Chunk(Chunk))
            {
                await this[kind].RefreshAsync(statements, chunk, revision, invalidations, ct);
            }
        }
    }
}
