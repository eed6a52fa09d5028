using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Commands;

/// <summary>What refers to rows that are to be deleted.</summary>
internal static class Referrers
{
    /// <summary>
    /// The rows (by <paramref name="by"/>) of a table whose <paramref name="column"/> names one of the ids, so many as a
    /// problem names. The ids are locked: nothing can refer to them that is not there yet.
    /// </summary>
    public static Task<List<BlockedRow>> ReferrersAsync(
        this ShopDbContext db, string table, string by, string column, int[] ids, CancellationToken ct)
    {
        var sql =
            $$"""
            SELECT r.id AS "Id", other.id AS "By" FROM unnest({0}) AS r (id)
            CROSS JOIN LATERAL (SELECT {{by}} AS id FROM {{ShopDbContext.Schema}}.{{table}} WHERE {{column}} = r.id LIMIT {1}) AS other
            ORDER BY r.id LIMIT {2}
            """;
        return db.Database.SqlQueryRaw<BlockedRow>(sql, ids, Problem.MaxListed, Problem.MaxListed * Problem.MaxListed).ToListAsync(ct);
    }
}
