using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Documents;

/// <summary>Finds the documents of one kind whose column contains an id.</summary>
internal sealed class ReferenceQuery(string kind, string column)
{
    public static readonly ReferenceQuery ProductsOfCategory = new(Resource.Products.Name, "category_id");
    public static readonly ReferenceQuery OrdersOfUser = new(Resource.Orders.Name, "customer_id");
    public static readonly ReferenceQuery ReviewsOfUser = new(Resource.Reviews.Name, "user_id");
    public static readonly ReferenceQuery ReviewsOfProduct = new(Resource.Reviews.Name, "product_id");

    private readonly KeyedQuery byKey =
        new(column, $"SELECT {column}, id FROM {ReadTables.Of(kind)} WHERE @keys AND NOT is_deleted");

    public string Kind => kind;

    /// <summary>Adds the query; the set is filled when the batch runs.</summary>
    public void AddTo(StatementBatch statements, int[] ids, HashSet<int> found) =>
        byKey.AddTo(statements, ids, row => found.Add(row.GetInt32(1)));
}

/// <summary>The documents of other kinds that show something of the documents that changed.</summary>
internal sealed class DependentDocuments
{
    private readonly Dictionary<string, HashSet<int>> documents = [];
    private readonly Dictionary<ReferenceQuery, HashSet<int>> queries = [];

    /// <summary>Ids by kind.</summary>
    public IReadOnlyDictionary<string, HashSet<int>> Documents => documents;

    public void Add(string kind, int id) => Of(documents, kind).Add(id);

    /// <summary>Adds every document that the query finds for this id.</summary>
    public void Add(ReferenceQuery query, int id) => Of(queries, query).Add(id);

    /// <summary>
    /// Adds the queries that were not added before; their documents are here when the batch has run. False when there
    /// are none.
    /// </summary>
    public bool AddQueriesTo(StatementBatch statements)
    {
        var isNeeded = queries.Count > 0;
        foreach (var (query, ids) in queries) query.AddTo(statements, [.. ids], Of(documents, query.Kind));
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
