using System.Diagnostics;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Writes rows and their outbox rows by COPY, in the caller's transaction.</summary>
internal sealed class CopyWriter(NpgsqlConnection connection, TimeProvider clock) : IDisposable
{
    private const string OutboxColumns = "event_id, type, resource, aggregate_id, version, time, trace_parent, data";
    private const string ItemColumns = "order_id, product_id, quantity, unit_price, total_price";

    private readonly CopyBuffer rows = new();

    public NpgsqlConnection Connection => connection;

    public void Dispose() => rows.Dispose();

    public async Task WriteAsync<T>(CopyTable<T> table, IReadOnlyList<T> states, CancellationToken ct)
        where T : IAggregateState
    {
        await WriteRowsAsync(table, states, ct);
        await WriteEventsAsync(table, states.Select(state => new DomainEvent(table.EventType, table.Resource, state)), ct);
    }

    public async Task WriteRowsAsync<T>(CopyTable<T> table, IEnumerable<T> states, CancellationToken ct)
        where T : IAggregateState
    {
        await CopyAsync($"shop.{table.Resource}", table.Columns, states, table.Write, ct);
        if (states is IReadOnlyList<OrderState> orders) await WriteItemsAsync(orders, ct);
    }

    public Task WriteEventsAsync<T>(CopyTable<T> table, IEnumerable<DomainEvent> events, CancellationToken ct)
        where T : IAggregateState
    {
        var (now, trace) = (clock.GetUtcNow(), Activity.Current?.Id);
        return CopyAsync("shop.outbox", OutboxColumns, events, (row, change) =>
        {
            row.Uuid(Guid.CreateVersion7(now));
            row.Text(change.Type);
            row.Text(change.Resource);
            row.Integer(change.State.Id);
            row.Bigint(change.State.Version);
            row.Timestamp(now);
            row.Text(trace);
            row.Json((T)change.State, table.Json);
        }, ct);
    }

    private Task WriteItemsAsync(IReadOnlyList<OrderState> orders, CancellationToken ct) => CopyAsync(
        "shop.order_items",
        ItemColumns,
        orders.SelectMany(order => order.Items.Select(item => (order.Id, Item: item))),
        (row, line) =>
        {
            row.Integer(line.Id);
            row.Integer(line.Item.ProductId);
            row.Integer(line.Item.Quantity);
            row.Money(line.Item.UnitPrice);
            row.Money(line.Item.TotalPrice);
        },
        ct);

    private async Task CopyAsync<T>(string table, string columns, IEnumerable<T> source, Action<CopyBuffer, T> write, CancellationToken ct)
    {
        var count = columns.AsSpan().Count(',') + 1;
        rows.Begin();
        foreach (var item in source)
        {
            rows.Row(count);
            write(rows, item);
        }

        rows.End();
        await using var copy = await connection.BeginRawBinaryCopyAsync($"COPY {table} ({columns}) FROM STDIN (FORMAT binary)", ct);
        await copy.WriteAsync(rows.Written, ct);
    }
}
