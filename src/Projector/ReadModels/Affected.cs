using ApexShop.Events;
using ApexShop.ReadModels;

namespace ApexShop.Projector.ReadModels;

/// <summary>Documents that refer to another one by a column.</summary>
internal sealed record Referrers(string Kind, string Condition)
{
    public static readonly Referrers ProductsOfCategory = new(Resources.Products, "category_id = ANY($1)");
    public static readonly Referrers OrdersOfUser = new(Resources.Orders, "customer_id = ANY($1)");
    public static readonly Referrers OrdersOfProduct = new(Resources.Orders, "product_ids && $1");
    public static readonly Referrers ReviewsOfUser = new(Resources.Reviews, "user_id = ANY($1)");
    public static readonly Referrers ReviewsOfProduct = new(Resources.Reviews, "product_id = ANY($1)");

    public string Sql { get; } = $"SELECT id FROM {ReadTables.Of(Kind)} WHERE {Condition} AND NOT is_deleted";
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
            var wanted = Round.Parameter(ids.ToArray());
            round.Add(referring.Sql, row => Set(found, referring.Kind).Add(row.GetInt32(0)), wanted);
        }
    }

    private static HashSet<int> Set<TKey>(Dictionary<TKey, HashSet<int>> sets, TKey key)
        where TKey : notnull
    {
        if (!sets.TryGetValue(key, out var ids)) sets[key] = ids = [];
        return ids;
    }
}
