namespace ApexShop.Projector.Documents;

/// <summary>The documents of other kinds that show something of the documents that changed.</summary>
/// <param name="most">
/// When more documents show the names, the names with the most become <see cref="PendingName"/>s.
/// </param>
internal sealed class DependentDocuments(int most)
{
    private readonly Dictionary<string, HashSet<int>> documents = [];
    private readonly Dictionary<ReferenceQuery, HashSet<int>> queries = [];
    private readonly List<ReferenceLookup> lookups = [];

    /// <summary>Ids by kind.</summary>
    public IReadOnlyDictionary<string, HashSet<int>> Documents => documents;

    /// <summary>The queries that were sent; their documents are added by <see cref="PendingName"/>.</summary>
    public IReadOnlyList<ReferenceLookup> Lookups => lookups;

    public void Add(string kind, int id) => Of(documents, kind).Add(id);

    public void Add(string kind, IEnumerable<int> ids) => Of(documents, kind).UnionWith(ids);

    /// <summary>Adds every document that the query finds for this id.</summary>
    public void Add(ReferenceQuery query, int id) => Of(queries, query).Add(id);

    /// <summary>Adds the queries that were not added before. False when there are none.</summary>
    public bool AddQueriesTo(StatementBatch statements)
    {
        var isNeeded = queries.Count > 0;
        lookups.AddRange(queries.Select(query => query.Key.Find(statements, [.. query.Value], most)));
        queries.Clear();
        return isNeeded;
    }

    private static HashSet<int> Of<TKey>(Dictionary<TKey, HashSet<int>> sets, TKey key)
        where TKey : notnull
    {
        if (!sets.TryGetValue(key, out var ids)) sets[key] = ids = [];
        return ids;
    }
}
