using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Creates the aggregates of a list in the caller's transaction: rows and outbox rows by COPY.</summary>
internal sealed class BulkInsert(ShopDbContext db, EventOutbox outbox, Actor actor, TimeProvider clock)
{
    /// <param name="table">The aggregate's tables.</param>
    /// <param name="items">The items of the request.</param>
    /// <param name="create">Creates the aggregate of an item with a given id and returns its event.</param>
    /// <param name="ct">Cancels the copy.</param>
    public async Task<BulkCreated> WriteAsync<TItem, TState>(
        CopyTable<TState> table, IReadOnlyList<TItem> items, Func<TItem, int, DomainEvent> create, CancellationToken ct)
        where TState : IAggregateState
    {
        var ids = await TakeIdsAsync(table.IdSequence, items.Count, ct);
        var states = ids.Select((id, i) => (TState)create(items[i], id).State).ToList();
        var order = table.InsertOrder;
        IEnumerable<TState> rows = order is null ? states : states.Order(Comparer<TState>.Create(order));

        using var copy = new CopyWriter((NpgsqlConnection)db.Database.GetDbConnection(), clock, actor.Name);
        await copy.WriteRowsAsync(table, rows, ct);
        await copy.WriteEventsAsync(table, states, ct);
        outbox.RecordChange(table.Resource, ids[^1], states[^1].Version);
        return new BulkCreated(ids.Length, ids);
    }

    // One nextval reserves a block of ten ids, as EF Core's HiLo generator expects; no other process uses the block.
    private async Task<int[]> TakeIdsAsync(string sequence, int count, CancellationToken ct) =>
        [.. await db.Database.SqlQuery<int>(
            $"""
            WITH blocks AS MATERIALIZED (
                SELECT nextval({sequence}::regclass)::int AS first FROM generate_series(1, ({count} + 9) / 10)
            )
            SELECT first + place AS "Value" FROM blocks CROSS JOIN generate_series(0, 9) AS place
            ORDER BY 1 LIMIT {count}
            """).ToListAsync(ct)];
}
