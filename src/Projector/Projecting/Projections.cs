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
        Round round, string kind, IReadOnlyList<Change> changes, Touched touched, CancellationToken ct)
    {
        var affected = new Affected();
        var summarise = await this[kind].ApplyAsync(round, changes, affected, touched, ct);
        await DeriveAsync(round, affected, summarise, changes[^1].Entry.Position, touched, ct);
    }

    /// <summary>
    /// Writes documents of one kind anew, whatever stands in their rows: those of the changes, and no row for the other
    /// ids. Gives their revision: the position, or what is beyond every revision that they had.
    /// </summary>
    public async Task<long> RewriteAsync(
        Round round, string kind, int[] ids, IReadOnlyList<Change> changes, long position, Touched touched, CancellationToken ct)
    {
        var affected = new Affected();
        var cleared = await this[kind].ClearAsync(round, ids, affected, touched, ct);
        var summarise = cleared.Summarise;
        var revision = Math.Max(position, cleared.Revision + 1);
        if (changes.Count > 0)
        {
            var anew = changes.Select(change => change with { Entry = change.Entry with { Position = revision } }).ToList();
            summarise += await this[kind].ApplyAsync(round, anew, affected, touched, ct);
        }

        await DeriveAsync(round, affected, summarise, revision, touched, ct);
        return revision;
    }

    private async Task DeriveAsync(
        Round round, Affected affected, Action<Round> summarise, long revision, Touched touched, CancellationToken ct)
    {
        affected.Seek(round);
        await round.RunAsync(ct);

        // What is added from here on goes with the next read, the last of it with the end of the transaction.
        summarise(round);
        await RefreshAsync(round, affected.Known, revision, touched, ct);
        await RefreshAsync(round, affected.Found, revision, touched, ct);
    }

    private async Task RefreshAsync(
        Round round,
        IReadOnlyDictionary<string, HashSet<int>> affected,
        long revision,
        Touched touched,
        CancellationToken ct)
    {
        foreach (var (kind, ids) in affected)
        {
            foreach (var chunk in ids.Order().Chunk(Chunk))
            {
                await this[kind].RefreshAsync(round, chunk, revision, touched, ct);
            }
        }
    }
}
