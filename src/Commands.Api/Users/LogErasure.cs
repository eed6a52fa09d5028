using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// Removes persons from events, in the log and in the outbox: the members that identify one get placeholders, and
/// everything else stays as it is.
/// </summary>
internal sealed class LogErasure(ShopDbContext db)
{
    /// <summary>Rewrites the events of aggregates that the caller has locked, or that are deleted.</summary>
    public async Task EraseAsync(string resource, int[] ids, CancellationToken ct)
    {
        if (ids.Length > 0) await db.Database.ExecuteSqlAsync($"SELECT shop.erase_from_log({resource}, {ids})", ct);
    }

    /// <summary>Whether the aggregate exists or ever existed.</summary>
    public async Task<bool> ContainsAsync(string resource, int id, CancellationToken ct) =>
        (await db.Database.SqlQuery<bool>(
            $"""
            SELECT EXISTS (SELECT FROM shop.outbox WHERE resource = {resource} AND aggregate_id = {id})
                OR EXISTS (SELECT FROM shop.events WHERE resource = {resource} AND aggregate_id = {id})
            """).ToListAsync(ct))[0];
}
