using ApexShop.Projector.Categories;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Orders;
using ApexShop.Projector.Products;
using ApexShop.Projector.Reviews;
using ApexShop.Projector.Users;
using ApexShop.Resources;

namespace ApexShop.Projector.Projecting;

/// <summary>All projections, and the order in which a change of one kind updates the documents of others.</summary>
/// <param name="currency">The currency of all prices, an ISO 4217 code; see <see cref="ShopOptions"/>.</param>
internal sealed class Projections(string currency)
{
    // A change of many names has many dependent documents; this many are loaded and rendered at a time.
    private const int Chunk = 1000;

    private readonly Dictionary<string, IProjection> byKind = ByKind(
    [
        new CategoryProjection(),
        new UserProjection(),
        new ProductProjection(currency),
        new OrderProjection(currency),
        new ReviewProjection(),
    ]);

    public string Currency => currency;

    /// <summary>
    /// A name that more documents show is written into them later, so that other events do not wait for it.
    /// </summary>
    public int MostAtOnce { get; init; } = 500;

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
        var dependents = new DependentDocuments(MostAtOnce);
        await this[kind].ApplyAsync(statements, changes, dependents, invalidations, ct);
        await RefreshAsync(statements, dependents, invalidations, ct);
    }

    /// <summary>
    /// Replaces documents of one kind, whatever their rows contain: with those of the changes, and with no row for the
    /// other ids.
    /// </summary>
    public async Task RewriteAsync(
        StatementBatch statements,
        string kind,
        int[] ids,
        IReadOnlyList<StateChange> changes,
        Invalidations invalidations,
        CancellationToken ct)
    {
        var dependents = new DependentDocuments(MostAtOnce);
        await this[kind].DeleteAsync(statements, ids, dependents, invalidations, ct);
        if (changes.Count > 0) await this[kind].ApplyAsync(statements, changes, dependents, invalidations, ct);
        // What was counted of the rows before is not known.
        this[kind].RecountTotals(statements, dependents);
        await RefreshAsync(statements, dependents, invalidations, ct);
    }

    /// <summary>The query for the documents that show the name.</summary>
    public ReferenceQuery Showing(PendingName name) =>
        byKind.Values.SelectMany(projection => projection.ShownIn)
            .Single(query => query.Kind == name.Kind && query.Member == name.Member);

    private async Task RefreshAsync(
        StatementBatch statements,
        DependentDocuments dependents,
        Invalidations invalidations,
        CancellationToken ct)
    {
        if (dependents.AddQueriesTo(statements)) await statements.RunAsync(ct);
        await PendingName.AddFoundAsync(statements, dependents, invalidations, ct);
        foreach (var (kind, ids) in dependents.Documents)
        {
            foreach (var chunk in ids.Order().Chunk(Chunk))
                await this[kind].RefreshAsync(statements, chunk, invalidations, ct);
        }

        foreach (var lookup in dependents.Lookups)
        {
            foreach (var key in lookup.Paged)
                await RefreshPagesAsync(statements, lookup.Query, key, invalidations, ct);
        }
    }

    private async Task RefreshPagesAsync(
        StatementBatch statements, ReferenceQuery query, int key, Invalidations invalidations, CancellationToken ct)
    {
        var after = int.MinValue;
        int[] ids;
        do
        {
            ids = await query.PageAsync(statements, key, after, Chunk, ct);
            if (ids.Length > 0) after = ids[^1];
            await this[query.Kind].RefreshAsync(statements, ids, invalidations, ct);
        }
        while (ids.Length == Chunk);
    }
}
