using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Row <paramref name="ReferencedBy"/> of another resource refers to row <paramref name="Id"/>.</summary>
internal sealed record RowReference(int Id, int ReferencedBy);

internal static class RowReferences
{
    /// <summary>
    /// The references from <paramref name="column"/> of a table to the ids, as many as a problem lists. The ids are
    /// locked, so no new reference can appear.
    /// </summary>
    /// <param name="db">The database.</param>
    /// <param name="table">The table that refers to the ids.</param>
    /// <param name="by">The column with the id of the resource that refers to them.</param>
    /// <param name="column">The foreign key.</param>
    /// <param name="ids">The rows to delete.</param>
    /// <param name="ct">Cancels the query.</param>
    public static Task<List<RowReference>> ReferencesAsync(
        this ShopDbContext db, string table, string by, string column, int[] ids, CancellationToken ct)
    {
        var sql =
            $$"""
            SELECT r.id AS "Id", other.id AS "ReferencedBy" FROM unnest({0}) AS r (id)
            CROSS JOIN LATERAL (
                SELECT {{by}} AS id FROM {{ShopDbContext.Schema}}.{{table}} WHERE {{column}} = r.id LIMIT {1}) AS other
            ORDER BY r.id LIMIT {2}
            """;
        const int most = Problem.MaxListed;
        return db.Database.SqlQueryRaw<RowReference>(sql, ids, most, most * most).ToListAsync(ct);
    }
}
