using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text.Json;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Consistency;
using ApexShop.Events;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Writes events beside the changes they describe: one commit contains both or neither.</summary>
internal sealed class EventOutbox(ShopDbContext db, EventIdGenerator ids, Actor actor)
{
    private readonly Dictionary<string, ConsistencyToken.Change> last = [];

    /// <summary>The last change of each resource in this request.</summary>
    public ConsistencyToken Token => new([.. last.Values]);

    /// <summary>Adds an event; the caller's SaveChanges writes it.</summary>
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
            Actor = actor.Name,
            Data = JsonSerializer.Serialize(change.State, change.State.GetType(), EventJson.Wire),
        };
        // DbSet.Add would search the row for other entities.
        db.Entry(row).State = EntityState.Added;
        RecordChange(change.Resource, change.State.Id, change.State.Version);
    }

    /// <summary>
    /// Adds the event of a replacement. Null for one that has changed nothing: nothing is written, and the token is of
    /// the version that the aggregate has, since the request is perhaps a repeated one.
    /// </summary>
    public void Add<T>(T replaced, DomainEvent? change)
        where T : IAggregate
    {
        if (change is not null) Add(change);
        else RecordChange(T.Resource.Name, replaced.Id, replaced.Version);
    }

    /// <summary>
    /// Changes a set of rows and writes an event for each, in one statement of the caller's transaction.
    /// </summary>
    /// <param name="resource">The resource of the rows.</param>
    /// <param name="change">
    /// A statement that returns id, version, state after the change as json, and type of the event of each row.
    /// </param>
    /// <param name="ct">Cancels the statement.</param>
    public async Task<StatementResult> ChangeAsync(string resource, FormattableString change, CancellationToken ct)
    {
        var n = change.ArgumentCount;
        var sql =
            $$"""
            WITH changed (id, version, data, type) AS ({{change.Format}}), written AS (
                {{InsertSql($"{{{n}}}", $"{{{n + 1}}}", $"{{{n + 2}}}")}} RETURNING id AS entry, aggregate_id, version
            ), ended AS (SELECT aggregate_id, version FROM written ORDER BY entry DESC LIMIT 1)
            SELECT (SELECT count(*) FROM written)::int AS "Changed", (SELECT aggregate_id FROM ended) AS "LastId",
                (SELECT version FROM ended) AS "LastVersion"
            """;
        object[] arguments = [.. change.GetArguments()!, resource, TraceParent(), actor.Name];
        // A list, because a query for a single row would nest the statement in another one, which PostgreSQL refuses.
        var result = (await db.Database.SqlQueryRaw<StatementResult>(sql, arguments).ToListAsync(ct))[0];
        if (result is { LastId: { } id, LastVersion: { } version }) RecordChange(resource, id, version);
        return result;
    }

    /// <summary>The same as a statement of a batch; <see cref="ReadChangesAsync"/> reads its result.</summary>
    public NpgsqlBatchCommand Change(string resource, string change, params ReadOnlySpan<NpgsqlParameter> arguments)
    {
        var n = arguments.Length;
        var insert = InsertSql($"${n + 1}", $"${n + 2}", $"${n + 3}");
        var command = new NpgsqlBatchCommand(
            $"WITH changed (id, version, data, type) AS ({change}) {insert} RETURNING aggregate_id, version");
        foreach (var argument in arguments) command.Parameters.Add(argument);
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = resource });
        command.Parameters.Add(TraceParent());
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = actor.Name });
        return command;
    }

    /// <summary>Records the changes of such a statement, and returns how many there are.</summary>
    public async Task<int> ReadChangesAsync(string resource, NpgsqlDataReader rows, CancellationToken ct)
    {
        var changed = 0;
        for (; await rows.ReadAsync(ct); changed++) RecordChange(resource, rows.GetInt32(0), rows.GetInt64(1));
        return changed;
    }

    /// <summary>The same for a deletion; <paramref name="delete"/> is a DELETE without RETURNING.</summary>
    public Task<StatementResult> DeleteAsync(
        string type, string resource, FormattableString delete, CancellationToken ct)
    {
        const string returning =
            """ RETURNING id, version + 1, ('{{"id":' || id || ',"version":' || version + 1 || '}}')::json, """;
        var sql = delete.Format + returning + "{" + delete.ArgumentCount + "}";
        return ChangeAsync(resource, FormattableStringFactory.Create(sql, [.. delete.GetArguments(), type]), ct);
    }

    /// <summary>Records an event that was written to the outbox in another way.</summary>
    public void RecordChange(string resource, int id, long version)
    {
        last[resource] = new(resource, id, version);
        db.HasWritten = true;
    }

    /// <summary>
    /// Records the last event of aggregates that the caller has locked, or that do not exist any more, in the outbox or
    /// else in the log: documents that include it include the current values of all of them. One exception lasts until
    /// a move of the sequencer ends: an event with a smaller id, which was committed after the move began, gets a later
    /// position. HasWritten is not set here: if no row was changed or locked, the commit checks the primary.
    /// </summary>
    public async Task RecordLastChangeAsync(string resource, int[] ids, CancellationToken ct)
    {
        // One statement: between two the sequencer could move the event.
        var changes = await db.Database.SqlQuery<ConsistencyToken.Change>(
            $"""
            WITH waiting AS (
                SELECT resource, aggregate_id, version FROM shop.outbox
                WHERE resource = {resource} AND aggregate_id = ANY ({ids}) ORDER BY id DESC LIMIT 1
            ), logged AS (
                SELECT entry.* FROM unnest({ids}) AS list (id) CROSS JOIN LATERAL (
                    SELECT resource, aggregate_id, version, position FROM shop.events
                    WHERE resource = {resource} AND aggregate_id = list.id ORDER BY position DESC LIMIT 1) AS entry
                ORDER BY entry.position DESC LIMIT 1
            )
            SELECT resource AS "Resource", aggregate_id AS "Id", version AS "Version" FROM waiting
            UNION ALL SELECT resource, aggregate_id, version FROM logged WHERE NOT EXISTS (SELECT FROM waiting)
            """).ToListAsync(ct);
        foreach (var change in changes) last[change.Resource] = change;
    }

    private static string InsertSql(string resource, string traceParent, string actor) =>
        $"""
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, trace_parent, actor, data)
        SELECT type, {resource}, id, version, {traceParent}, {actor}, data FROM changed ORDER BY id
        """;

    private static NpgsqlParameter<string?> TraceParent() =>
        new() { TypedValue = Activity.Current?.Id, NpgsqlDbType = NpgsqlTypes.NpgsqlDbType.Text };
}
