using System.Diagnostics;
using System.Globalization;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// Removes persons from events, in the log and in the outbox: the members that identify one get placeholders, and
/// everything else stays as it is.
/// </summary>
internal sealed class LogErasure(ShopDbContext db, Actor actor)
{
    /// <summary>Rewrites the events of aggregates that the caller has locked, or that are deleted.</summary>
    public async Task EraseAsync(string resource, int[] ids, CancellationToken ct)
    {
        if (ids.Length > 0) await db.Database.ExecuteSqlAsync($"SELECT shop.erase_from_log({resource}, {ids})", ct);
    }

    /// <summary>
    /// Records who erases a user who is deleted already: that erasure has no event with its actor. The processes that
    /// have newest events in memory remove them.
    /// </summary>
    public async Task RecordAsync(int userId, CancellationToken ct)
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/{Resource.Users.Name}/{userId}/erase");
        var correlationId = Activity.Current?.TraceId.ToHexString();
        await db.Database.ExecuteSqlAsync(
            $"""
            INSERT INTO shop.operator_actions (time, actor, action, path, correlation_id)
            VALUES (now(), {actor.Name}, {nameof(EraseUser)}, {path}, {correlationId})
            """,
            ct);
        await db.Database.ExecuteSqlAsync($"SELECT pg_notify('apexshop_log', {LogTail.Erased})", ct);
    }

    /// <summary>Whether the aggregate exists or ever existed.</summary>
    public async Task<bool> ContainsAsync(string resource, int id, CancellationToken ct) =>
        (await db.Database.SqlQuery<bool>(
            $"""
            SELECT EXISTS (SELECT FROM shop.outbox WHERE resource = {resource} AND aggregate_id = {id})
                OR EXISTS (SELECT FROM shop.events WHERE resource = {resource} AND aggregate_id = {id})
            """).ToListAsync(ct))[0];
}
