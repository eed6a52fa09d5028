using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Users;

/// <summary>Removes a person from the orders of a user, and from the events of these orders.</summary>
internal sealed class OrderErasure(
    ShopDbContext db, EventOutbox outbox, LogErasure log, IOptions<LimitOptions> limits)
{
    /// <summary>The orders that are to be delivered, and so need their address, as many as a problem lists.</summary>
    public async Task<IReadOnlyList<int>> OpenAsync(int userId, CancellationToken ct)
    {
        // In the order of the index: by id PostgreSQL may read the orders of all users.
        var open = await db.Database.SqlQuery<int>(
            $"""
            SELECT id FROM shop.orders
            WHERE user_id >= {userId} AND user_id <= {userId} AND status NOT IN ('Delivered', 'Cancelled')
            ORDER BY user_id LIMIT {Problem.MaxListed}
            """).ToListAsync(ct);
        return [.. open.Order()];
    }

    /// <summary>
    /// Erases the other orders, and returns whether there was one; each chunk is a transaction, unless the caller has
    /// begun one.
    /// </summary>
    public async Task<bool> EraseClosedAsync(int userId, CancellationToken ct)
    {
        var isBegun = false;
        for (var (last, isFull) = (0, true); isFull;)
        {
            await using var transaction = await db.BeginAsync(ct);
            var ids = await LockClosedAsync(userId, last, ct);
            // Before the new events are written: only an event of these orders that waits in the outbox makes the
            // erasure stop the sequencer, until this transaction ends.
            await log.EraseAsync(Resource.Orders.Name, ids, ct);
            await ChangeAsync(ids, ct);
            await transaction.CommitAsync();
            isBegun |= ids.Length > 0;
            (last, isFull) = (ids.LastOrDefault(), ids.Length == limits.Value.ChunkRows);
        }

        return isBegun;
    }

    /// <summary>Whether an order has an address that another command has given it meanwhile.</summary>
    public async Task<bool> AnyLeftAsync(int userId, CancellationToken ct) => (await db.Database.SqlQuery<bool>(
        $"""
        SELECT EXISTS (SELECT FROM shop.orders WHERE user_id >= {userId} AND user_id <= {userId}
            AND (shipping_address <> {ErasedPerson.ShippingAddress} OR tracking_number IS NOT NULL))
        """).ToListAsync(ct))[0];

    /// <summary>
    /// Erases the deleted orders, which only the log has. The caller has locked the user, or there is none.
    /// </summary>
    public async Task EraseDeletedAsync(int userId, CancellationToken ct)
    {
        var ids = await db.Database.SqlQuery<int>(
            $"""
            (SELECT aggregate_id FROM shop.events
             WHERE resource = 'orders' AND type <> 'apexshop.order.deleted'
                AND (data ->> 'userId')::integer = {userId}
             UNION SELECT aggregate_id FROM shop.outbox
             WHERE resource = {Resource.Orders.Name} AND (data ->> 'userId')::integer = {userId})
            EXCEPT SELECT id FROM shop.orders WHERE user_id >= {userId} AND user_id <= {userId}
            """).ToArrayAsync(ct);
        foreach (var some in ids.Chunk(limits.Value.ChunkRows)) await log.EraseAsync(Resource.Orders.Name, some, ct);
    }

    private Task<int[]> LockClosedAsync(int userId, int after, CancellationToken ct) => db.Database.SqlQuery<int>(
        $"""
        SELECT id FROM shop.orders
        WHERE user_id >= {userId} AND user_id <= {userId} AND id > {after} AND status IN ('Delivered', 'Cancelled')
        ORDER BY id LIMIT {limits.Value.ChunkRows} FOR NO KEY UPDATE
        """).ToArrayAsync(ct);

    private Task<StatementResult> ChangeAsync(int[] ids, CancellationToken ct) => outbox.ChangeAsync(
        Resource.Orders.Name,
        $"""
        UPDATE shop.orders AS o
        SET shipping_address = {ErasedPerson.ShippingAddress}, tracking_number = NULL, version = o.version + 1
        WHERE o.id = ANY ({ids})
            AND (o.shipping_address <> {ErasedPerson.ShippingAddress} OR o.tracking_number IS NOT NULL)
        RETURNING o.id, o.version, shop.order_state(o), {EventTypes.OrderUpdated}
        """,
        ct);
}
