using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using ApexShop.Events;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Writes what replacements made of aggregates, in the caller's transaction, which has locked them.</summary>
internal sealed class BulkReplace(ShopDbContext db, EventOutbox outbox, TimeProvider clock)
{
    /// <param name="table">Where the rows are.</param>
    /// <param name="changes">What the aggregates said, in the order of the items.</param>
    /// <param name="update">One UPDATE that takes their states over into the rows.</param>
    /// <param name="ct">Cancels the statements.</param>
    public async Task<BulkReplaced> WriteAsync<T>(
        CopyTable<T> table, IReadOnlyList<DomainEvent> changes, Func<T[], FormattableString> update, CancellationToken ct)
        where T : IAggregateState
    {
        var states = changes.Select(change => (T)change.State).ToArray();
        await db.Database.ExecuteSqlAsync(update(states), ct);
        using var copy = new CopyWriter((NpgsqlConnection)db.Database.GetDbConnection(), clock);
        await copy.WriteEventsAsync(table, changes, ct);
        outbox.RecordChange(table.Resource, states[^1].Id, states[^1].Version);
        return new BulkReplaced(states.Length, [.. states.Select(state => new Saved(state.Id, state.Version))]);
    }
}
