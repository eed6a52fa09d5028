using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.ReadModels;

/// <summary>Documents that refer to another one by a column.</summary>
internal sealed record Referrers(string Kind, Action<Round, int[], Action<int>> Seek)
{
    public static readonly Referrers ProductsOfCategory = By(Resource.Products.Name, "category_id");
    public static readonly Referrers OrdersOfUser = By(Resource.Orders.Name, "customer_id");
    public static readonly Referrers OrdersOfProduct = ByOneOf(Resource.Orders.Name, "product_ids");
    public static readonly Referrers ReviewsOfUser = By(Resource.Reviews.Name, "user_id");
    public static readonly Referrers ReviewsOfProduct = By(Resource.Reviews.Name, "product_id");

    private static Referrers By(string kind, string column)
    {
        var query = new KeyedQuery(column, $"SELECT {column}, id FROM {ReadTables.Of(kind)} WHERE @keys AND NOT is_deleted");
        return new(kind, (round, keys, found) => query.Ask(round, keys, row => found(row.GetInt32(1))));
    }

    private static Referrers ByOneOf(string kind, string column)
    {
        var sql = $"SELECT id FROM {ReadTables.Of(kind)} WHERE {column} && $1 AND NOT is_deleted";
        return new(kind, (round, keys, found) => round.Add(sql, row => found(row.GetInt32(0)), Round.Parameter(keys)));
    }
}

/// <summary>The documents of other kinds that show something of what a batch changed.</summary>
internal sealed class Affected
{
    private readonly Dictionary<string, HashSet<int>> known = [];
    private readonly Dictionary<Referrers, HashSet<int>> referrers = [];
    private readonly Dictionary<string, HashSet<int>> found = [];

    /// <summary>Ids by kind that the changes themselves name.</summary>
    public IReadOnlyDictionary<string, HashSet<int>> Known => known;

    /// <summary>Ids by kind of what refers to a change.</summary>
    public IReadOnlyDictionary<string, HashSet<int>> Found => found;

    public void Add(string kind, int id) => Set(known, kind).Add(id);

    public void Add(Referrers referring, int id) => Set(referrers, referring).Add(id);

    /// <summary>Asks for what refers to the changes; <see cref="Found"/> is filled when the round runs.</summary>
    public void Seek(Round round)
    {
        foreach (var (referring, ids) in referrers)
        {
            referring.Seek(round, [.. ids], id => Set(found, referring.Kind).Add(id));
        }
    }

    private static HashSet<int> Set<TKey>(Dictionary<TKey, HashSet<int>> sets, TKey key)
        where TKey : notnull
    {
        if (!sets.TryGetValue(key, out var ids)) sets[key] = ids = [];
        return ids;
    }
}
