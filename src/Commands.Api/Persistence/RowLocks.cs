using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Locks aggregates for a change.</summary>
internal static class RowLocks
{
    /// <summary>
    /// The row with this id, locked until the transaction ends: changes of one aggregate wait for each other instead
    /// of failing, and no row that refers to it appears while it is being deleted.
    /// </summary>
    public static IQueryable<T> ForChange<T>(this DbSet<T> set, int id)
        where T : class
    {
        var sql = "SELECT * FROM " + set.EntityType.GetSchemaQualifiedTableName() + " WHERE id = {0} FOR UPDATE";
        return set.FromSqlRaw(sql, id);
    }

    /// <summary>The rows with these ids, locked in id order, as everybody does who locks more than one.</summary>
    public static IQueryable<T> ForChange<T>(this DbSet<T> set, int[] ids)
        where T : class
    {
        var sql = "SELECT * FROM " + set.EntityType.GetSchemaQualifiedTableName() + " WHERE id = ANY ({0}) ORDER BY id FOR NO KEY UPDATE";
        return set.FromSqlRaw(sql, ids);
    }

    /// <summary>Keeps rows from being deleted until the transaction ends; gives the ids of those that there are.</summary>
    public static async Task<HashSet<int>> LockKeyShareAsync(this ShopDbContext db, string table, IEnumerable<int> ids, CancellationToken ct)
    {
        var sql = "SELECT id AS \"Value\" FROM " + ShopDbContext.Schema + "." + table + " WHERE id = ANY ({0}) ORDER BY id FOR KEY SHARE";
        return [.. await db.Database.SqlQueryRaw<int>(sql, ids.Distinct().ToArray()).ToListAsync(ct)];
    }

    /// <summary>Those of the ids that are there, locked as a single one is; in id order, as everybody locks.</summary>
    public static async Task<int[]> LockAsync(this ShopDbContext db, string resource, IEnumerable<int> ids, CancellationToken ct)
    {
        var sql = "SELECT id FROM " + ShopDbContext.Schema + "." + resource + " WHERE id = ANY ({0}) ORDER BY id FOR UPDATE";
        return await db.Database.SqlQueryRaw<int>(sql, [ids.ToArray()]).ToArrayAsync(ct);
    }
}
