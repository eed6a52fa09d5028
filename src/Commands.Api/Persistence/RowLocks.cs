using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Locks rows until the transaction ends. Several rows are always locked in the order of their ids.</summary>
internal static class RowLocks
{
    /// <summary>
    /// The row with this id, FOR NO KEY UPDATE: changes of one aggregate wait for each other instead of failing. Rows
    /// that refer to it can be inserted meanwhile, and a change does not wait for those that are.
    /// </summary>
    public static IQueryable<T> ForChange<T>(this DbSet<T> set, int id)
        where T : class => set.Row(id, "FOR NO KEY UPDATE");

    /// <summary>
    /// The row with this id, FOR UPDATE: no row that refers to it can be inserted while it is deleted or erased.
    /// </summary>
    public static IQueryable<T> ForUpdate<T>(this DbSet<T> set, int id)
        where T : class => set.Row(id, "FOR UPDATE");

    /// <summary>Locks the rows FOR UPDATE and returns the ids that exist.</summary>
    public static Task<int[]> LockForUpdateAsync(
        this ShopDbContext db, string resource, IEnumerable<int> ids, CancellationToken ct) =>
        db.Database.SqlQueryRaw<int>(Select("id", resource, "FOR UPDATE"), [ids.ToArray()]).ToArrayAsync(ct);

    /// <summary>Locks the rows FOR KEY SHARE, so that they cannot be deleted, and returns the ids that exist.</summary>
    public static async Task<HashSet<int>> LockForKeyShareAsync(
        this ShopDbContext db, string resource, IEnumerable<int> ids, CancellationToken ct)
    {
        var sql = Select("""id AS "Value" """, resource, "FOR KEY SHARE");
        return [.. await db.Database.SqlQueryRaw<int>(sql, ids.Distinct().ToArray()).ToListAsync(ct)];
    }

    /// <summary>Locks the rows FOR NO KEY UPDATE and returns those that exist, by id; none is tracked.</summary>
    public static Task<Dictionary<int, T>> LockForChangeAsync<T>(
        this ShopDbContext db, int[] ids, CancellationToken ct)
        where T : class, IAggregate
    {
        var rows = db.Set<T>();
        // Each by its name: a prepared SELECT * fails once the next release has added a column.
        var columns = string.Join(", ", rows.EntityType.GetProperties().Select(column => column.GetColumnName()));
        return rows.FromSqlRaw(Select(columns, T.Resource.Name, "FOR NO KEY UPDATE"), ids)
            .AsNoTracking().ToDictionaryAsync(row => row.Id, ct);
    }

    private static IQueryable<T> Row<T>(this DbSet<T> set, int id, string locking)
        where T : class
    {
        var sql = $"SELECT * FROM {set.EntityType.GetSchemaQualifiedTableName()} WHERE id = {{0}} {locking}";
        return set.FromSqlRaw(sql, id);
    }

    private static string Select(string columns, string resource, string locking) =>
        $"SELECT {columns} FROM {ShopDbContext.Schema}.{resource} WHERE id = ANY ({{0}}) ORDER BY id {locking}";
}
