using ApexShop.Events;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Documents;

/// <summary>Documents that refer to another one by a column.</summary>
internal sealed record ReferenceQuery(string Kind, Action<StatementBatch, int[], Action<int>> Seek)
{
    public static readonly ReferenceQuery ProductsOfCategory = By(Resources.Products, "category_id");
    public static readonly ReferenceQuery OrdersOfUser = By(Resources.Orders, "customer_id");
    public static readonly ReferenceQuery OrdersOfProduct = ByOneOf(Resources.Orders, "product_ids");
    public static readonly ReferenceQuery ReviewsOfUser = By(Resources.Reviews, "user_id");
    public static readonly ReferenceQuery ReviewsOfProduct = By(Resources.Reviews, "product_id");

    private static ReferenceQuery By(string kind, string column)
    {
        var query = new KeyedQuery(column, $"SELECT {column}, id FROM {ReadTables.Of(kind)} WHERE @keys AND NOT is_deleted");
        return new(kind, (statements, keys, found) => query.Ask(statements, keys, row => found(row.GetInt32(1))));
    }

    private static ReferenceQuery ByOneOf(string kind, string column)
    {
        var sql = $"SELECT id FROM {ReadTables.Of(kind)} WHERE {column} && $1 AND NOT is_deleted";
        return new(kind, (statements, keys, found) => statements.Add(sql, row => found(row.GetInt32(0)), StatementBatch.Parameter(keys)));
    }
}

/// <summary>The documents of other kinds that show something of what a batch changed.</summary>
internal sealed class DependentDocuments
{
    private readonly Dictionary<string, HashSet<int>> known = [];
    private readonly Dictionary<ReferenceQuery, HashSet<int>> referrers = [];
    private readonly Dictionary<string, HashSet<int>> found = [];

    /// <summary>Ids by kind that the changes themselves name.</summary>
    public IReadOnlyDictionary<string, HashSet<int>> Known => known;

    /// <summary>Ids by kind of what refers to a change.</summary>
    public IReadOnlyDictionary<string, HashSet<int>> Found => found;

    public void Add(string kind, int id) => Set(known, kind).Add(id);

    public void Add(ReferenceQuery referring, int id) => Set(referrers, referring).Add(id);

    /// <summary>Asks for what refers to the changes; <see cref="Found"/> is filled when the round runs.</summary>
    public void Seek(StatementBatch statements)
    {
        foreach (var (referring, ids) in referrers)
        {
            referring.Seek(statements, [.. ids], id => Set(found, referring.Kind).Add(id));
        }
    }

    private static HashSet<int> Set<TKey>(Dictionary<TKey, HashSet<int>> sets, TKey key)
        where TKey : notnull
    {
        if (!sets.TryGetValue(key, out var ids)) sets[key] = ids = [];
        return ids;
    }
}
