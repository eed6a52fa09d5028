using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using ApexShop.Events;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Creates aggregates by the thousand, in the caller's transaction: rows and outbox rows by COPY.</summary>
internal sealed class BulkInsert(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
{
    /// <param name="table">Where the rows go.</param>
    /// <param name="items">What is created.</param>
    /// <param name="create">Makes the aggregate with the id it is given, and the event of its creation.</param>
    /// <param name="ct">Cancels the copy.</param>
    /// <param name="order">
    /// What rows with a unique key are sorted by: two lists with the same keys then wait for each other instead of deadlocking.
    /// </param>
    public async Task<BulkCreated> WriteAsync<TItem, TState>(
        CopyTable<TState> table,
        IReadOnlyList<TItem> items,
        Func<TItem, int, DomainEvent> create,
        CancellationToken ct,
        Comparison<TState>? order = null)
        where TState : IAggregateState
    {
        var ids = await TakeIdsAsync(table.IdSequence, items.Count, ct);
        var created = ids.Select((id, i) => create(items[i], id)).ToList();
        var rows = created.Select(change => (TState)change.State);
        if (order is not null) rows = rows.Order(Comparer<TState>.Create(order));

        using var copy = new CopyWriter((NpgsqlConnection)db.Database.GetDbConnection(), clock);
        await copy.WriteRowsAsync(table, rows, ct);
        await copy.WriteEventsAsync(table, created, ct);
        outbox.RecordChange(table.Resource, ids[^1], created[^1].State.Version);
        return new BulkCreated(ids.Length, ids);
    }

    // What one nextval gives stands for a block of ten, here as in EF, so that nobody else has an id of it.
    private async Task<int[]> TakeIdsAsync(string sequence, int count, CancellationToken ct) =>
        [.. await db.Database.SqlQuery<int>(
            $"""
            WITH blocks AS MATERIALIZED (
                SELECT nextval({sequence}::regclass)::int AS first FROM generate_series(1, ({count} + 9) / 10)
            )
            SELECT first + place AS "Value" FROM blocks CROSS JOIN generate_series(0, 9) AS place ORDER BY 1 LIMIT {count}
            """).ToListAsync(ct)];
}
