using System.Diagnostics;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Writes aggregates and their outbox rows by COPY, in the caller's transaction.</summary>
internal sealed class CopyWriter(
    NpgsqlConnection connection, TimeProvider clock, string actor = Actor.Process) : IDisposable
{
    // The time of an event is that of the database, as everywhere: the clock of one process may be wrong.
    private const string OutboxColumns = "event_id, type, resource, aggregate_id, version, trace_parent, actor, data";

    private readonly CopyBuffer buffer = new();

    public NpgsqlConnection Connection => connection;

    public void Dispose() => buffer.Dispose();

    public async Task WriteAsync<T>(CopyTable<T> table, IReadOnlyList<T> states, CancellationToken ct)
        where T : IAggregateState
    {
        await WriteRowsAsync(table, states, ct);
        await WriteEventsAsync(table, states, ct);
    }

    public async Task WriteRowsAsync<T>(CopyTable<T> table, IEnumerable<T> states, CancellationToken ct)
        where T : IAggregateState
    {
        foreach (var target in table.Targets) await CopyAsync(target, states, ct);
    }

    public Task WriteEventsAsync<T>(CopyTable<T> table, IEnumerable<T> states, CancellationToken ct)
        where T : IAggregateState
    {
        var (now, traceParent) = (clock.GetUtcNow(), Activity.Current?.Id);
        var outbox = new CopyTarget<T>("shop.outbox", OutboxColumns, (row, state) => row.Row()
            .Uuid(Guid.CreateVersion7(now)).Text(table.EventType).Text(table.Resource).Integer(state.Id)
            .Bigint(state.Version).Text(traceParent).Text(actor).Json(state, table.Json));
        return CopyAsync(outbox, states, ct);
    }

    private async Task CopyAsync<T>(CopyTarget<T> target, IEnumerable<T> states, CancellationToken ct)
    {
        buffer.Begin(target.Columns.AsSpan().Count(',') + 1);
        foreach (var state in states) target.Write(buffer, state);
        buffer.End();
        var sql = $"COPY {target.Table} ({target.Columns}) FROM STDIN (FORMAT binary)";
        await using var copy = await connection.BeginRawBinaryCopyAsync(sql, ct);
        await copy.WriteAsync(buffer.Written, ct);
    }
}
