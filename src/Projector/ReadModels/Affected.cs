using ApexShop.Events;
using ApexShop.ReadModels;
using Npgsql;

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
    private readonly Dictionary<string, HashSet<int>> documents = [];
    private readonly Dictionary<Referrers, HashSet<int>> referrers = [];

    public void Add(string kind, int id) => Set(documents, kind).Add(id);

    public void Add(Referrers referring, int id) => Set(referrers, referring).Add(id);

    /// <summary>The ids by kind, those that only refer to a change found in one round trip.</summary>
    public async Task<IReadOnlyDictionary<string, HashSet<int>>> FindAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        if (referrers.Count == 0) return documents;

        await using var batch = new NpgsqlBatch(connection);
        foreach (var (referring, ids) in referrers)
        {
            var wanted = new NpgsqlParameter<int[]> { TypedValue = [.. ids] };
            batch.BatchCommands.Add(new NpgsqlBatchCommand(referring.Sql) { Parameters = { wanted } });
        }

        await using var reader = await batch.ExecuteReaderAsync(ct);
        foreach (var referring in referrers.Keys)
        {
            while (await reader.ReadAsync(ct)) Add(referring.Kind, reader.GetInt32(0));
            await reader.NextResultAsync(ct);
        }

        return documents;
    }

    private static HashSet<int> Set<TKey>(Dictionary<TKey, HashSet<int>> sets, TKey key)
        where TKey : notnull
    {
        if (!sets.TryGetValue(key, out var ids)) sets[key] = ids = [];
        return ids;
    }
}
