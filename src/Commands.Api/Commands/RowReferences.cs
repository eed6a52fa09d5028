using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Row <paramref name="ReferencedBy"/> of another resource refers to row <paramref name="Id"/>.</summary>
internal sealed record RowReference(int Id, int ReferencedBy);

internal static class RowReferences
{
    /// <summary>
    /// The references from <paramref name="foreignKey"/> of a table to the ids, as many as a problem lists. The ids are
    /// locked, so no new reference can appear. A range of one value, and not an equality, leaves only the index of the
    /// column: for an equality with a limit the planner may expect to find rows soon in another order, and then reads
    /// the whole table for an id without references.
    /// </summary>
    /// <param name="db">The database.</param>
    /// <param name="table">The table that refers to the ids.</param>
    /// <param name="idColumn">The column with the id of the resource that refers to them.</param>
    /// <param name="foreignKey">The column that refers to the ids.</param>
    /// <param name="ids">The rows to delete.</param>
    /// <param name="ct">Cancels the query.</param>
    public static Task<List<RowReference>> ReferencesAsync(
        this ShopDbContext db, string table, string idColumn, string foreignKey, int[] ids, CancellationToken ct)
    {
        var sql =
            $$"""
            SELECT r.id AS "Id", other.id AS "ReferencedBy" FROM unnest({0}) AS r (id)
            CROSS JOIN LATERAL (
                SELECT {{idColumn}} AS id FROM {{ShopDbContext.Schema}}.{{table}}
                WHERE {{foreignKey}} >= r.id AND {{foreignKey}} <= r.id
                ORDER BY {{foreignKey}} LIMIT {1}) AS other
            ORDER BY r.id LIMIT {2}
            """;
        const int most = Problem.MaxListed;
        return db.Database.SqlQueryRaw<RowReference>(sql, ids, most, most * most).ToListAsync(ct);
    }

    /// <summary>The ids of the rows that refer to one row, in ascending order, as many as a problem lists.</summary>
    public static async Task<IReadOnlyList<int>> ReferencesAsync(
        this ShopDbContext db, string table, string idColumn, string foreignKey, int id, CancellationToken ct)
    {
        var references = await db.ReferencesAsync(table, idColumn, foreignKey, [id], ct);
        return [.. references.Select(one => one.ReferencedBy).Order()];
    }
}
