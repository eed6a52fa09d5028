using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Loads an aggregate for a change.</summary>
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
}
