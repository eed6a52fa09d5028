using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text.Json;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Consistency;
using ApexShop.Events;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Puts events beside the changes they tell of; the caller's SaveChanges commits both or neither.</summary>
internal sealed class EventOutbox(ShopDbContext db, OutboxSignal signal, EventIdGenerator ids)
{
    private readonly Dictionary<string, ConsistencyToken.Change> last = [];

    /// <summary>What this request has changed so far.</summary>
    public ConsistencyToken Token => new([.. last.Values]);

    public void Add(DomainEvent change)
    {
        var row = new OutboxRow
        {
            EventId = ids.Next(),
            Type = change.Type,
            Resource = change.Resource,
            AggregateId = change.State.Id,
            Version = change.State.Version,
            TraceParent = Activity.Current?.Id,
            Data = JsonSerializer.Serialize(change.State, change.State.GetType(), EventJson.Wire),
        };
        // Add would look for other entities behind it.
        db.Entry(row).State = EntityState.Added;
        RecordChange(change.Resource, change.State.Id, change.State.Version);
    }

    /// <summary>
    /// Changes rows by the set and writes an event for each, in one statement of the caller's transaction.
    /// </summary>
    /// <param name="type">Type of each event.</param>
    /// <param name="resource">Whose rows they are.</param>
    /// <param name="change">An INSERT, UPDATE or DELETE that returns id, version and data: the state after it, as json.</param>
    /// <param name="ct">Cancels the statement.</param>
    /// <returns>How many rows were changed.</returns>
    public async Task<int> ChangeAsync(string type, string resource, FormattableString change, CancellationToken ct) =>
        (await ChangeChunkAsync(type, resource, change, ct)).Changed;

    /// <summary>The same, and which row was the last by id: the one after which a next statement goes on.</summary>
    public async Task<StatementResult> ChangeChunkAsync(string type, string resource, FormattableString change, CancellationToken ct)
    {
        var n = change.ArgumentCount;
        var sql =
            $$"""
            WITH changed (id, version, data) AS ({{change.Format}}), said AS (
                INSERT INTO shop.outbox (type, resource, aggregate_id, version, trace_parent, data)
                SELECT {{{n}}}, {{{n + 1}}}, id, version, {{{n + 2}}}, data FROM changed ORDER BY id
                RETURNING id AS entry, aggregate_id, version
            ), ended AS (SELECT aggregate_id, version FROM said ORDER BY entry DESC LIMIT 1)
            SELECT (SELECT count(*) FROM said)::int AS "Changed", (SELECT aggregate_id FROM ended) AS "LastId",
                (SELECT version FROM ended) AS "LastVersion"
            """;
        object[] arguments = [.. change.GetArguments()!, type, resource, TraceParent()];
        // A list, because whatever composes a single row would wrap the statement, which may not stand inside another.
        var done = (await db.Database.SqlQueryRaw<StatementResult>(sql, arguments).ToListAsync(ct))[0];
        if (done is { LastId: { } id, LastVersion: { } version }) RecordChange(resource, id, version);
        // Outside a transaction the statement was one itself.
        if (db.Database.CurrentTransaction is null) signal.Send();
        return done;
    }

    /// <summary>The same for a deletion: <paramref name="deletion"/> is a DELETE without its RETURNING.</summary>
    public Task<int> DeleteAsync(string type, string resource, FormattableString deletion, CancellationToken ct) =>
        ChangeAsync(type, resource, Returning(deletion), ct);

    /// <summary>A DELETE with the RETURNING that a change must have.</summary>
    public static FormattableString Returning(FormattableString deletion)
    {
        const string returning = """ RETURNING id, version + 1, ('{{"id":' || id || ',"version":' || version + 1 || '}}')::json""";
        return FormattableStringFactory.Create(deletion.Format + returning, deletion.GetArguments());
    }

    /// <summary>An event that is in the outbox by other means; the last of its resource counts.</summary>
    public void RecordChange(string resource, int id, long version) => last[resource] = new(resource, id, version);

    private static Npgsql.NpgsqlParameter<string?> TraceParent() =>
        new() { TypedValue = Activity.Current?.Id, NpgsqlDbType = NpgsqlTypes.NpgsqlDbType.Text };
}
