using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Tables with the document of each aggregate's last event, without derived values, from which the new tables are
/// filled chunk by chunk. They are dropped when the rebuild ends; those of a killed process when the next one begins.
/// </summary>
internal sealed class StagedTables(NpgsqlConnection connection, Projections projections)
{
    private const string CountSql = $"""
        DROP TABLE IF EXISTS {RebuiltTables.StagedPrefix}category_segments;
        CREATE UNLOGGED TABLE {RebuiltTables.StagedPrefix}category_segments AS
        SELECT category_id, count(*) AS product_count FROM {RebuiltTables.StagedPrefix}products
        WHERE NOT is_deleted GROUP BY category_id;
        CREATE INDEX ON {RebuiltTables.StagedPrefix}category_segments (category_id)
        """;

    /// <summary>The aggregates whose last event could not be staged.</summary>
    public HashSet<(string Resource, int Id)> Refused { get; } = [];

    public Dictionary<string, LogEntry> LastOfResource { get; } = [];

    public long Position { get; private set; }

    /// <summary>Fills the tables with the log.</summary>
    public async Task ReadAsync(EventLogClient log, RebuildProgress progress, CancellationToken ct)
    {
        await CreateAsync(ct);
        await foreach (var page in log.CompactedAsync(ct))
        {
            await AddAsync(page, ct);
            progress.Position = Position;
        }

        await CompleteAsync(ct);
    }

    /// <summary>Removes these aggregates and gives the number of documents of each resource.</summary>
    public async Task<Dictionary<string, long>> RemoveAsync(
        IReadOnlySet<(string Resource, int Id)> aggregates, CancellationToken ct)
    {
        var statements = new StatementBatch(connection, RebuiltTables.StagedPrefix);
        var counts = new Dictionary<string, long>();
        foreach (var resource in Resource.Names)
        {
            int[] ids = [.. aggregates.Where(one => one.Resource == resource).Select(one => one.Id)];
            statements.Add($"DELETE FROM {ReadTables.Of(resource)} WHERE id = ANY($1)", Parameter(ids));
            statements.Add(
                $"SELECT count(*) FROM {ReadTables.Of(resource)}", row => counts[resource] = row.GetInt64(0));
        }

        StagedTotalTables.Count(statements);
        await statements.RunAsync(ct);
        await ExecuteAsync(CountSql, ct);
        return counts;
    }

    private async Task CreateAsync(CancellationToken ct)
    {
        await TableDdl.DropAsync(connection, RebuiltTables.Next, ct);
        foreach (var resource in Resource.Names)
        {
            // Not logged: they are not needed after a crash, nor on a replica.
            await ExecuteAsync(
                $"""
                CREATE UNLOGGED TABLE {RebuiltTables.StagedPrefix}{resource} (LIKE {ReadTables.Of(resource)});
                ALTER TABLE {RebuiltTables.StagedPrefix}{resource} DROP COLUMN revision, DROP COLUMN data
                """,
                ct);
        }

        await ExecuteAsync(StagedTotalTables.CreateSql, ct);
    }

    private async Task AddAsync(IReadOnlyList<LogEntry> page, CancellationToken ct)
    {
        foreach (var events in page.GroupBy(entry => entry.Resource).Where(of => Resource.Names.Contains(of.Key)))
        {
            var changes = new List<StateChange>(page.Count);
            foreach (var entry in events)
            {
                var subject = (entry.Resource, entry.AggregateId);
                Refused.Remove(subject);
                if (DecodedEvent.Decode(entry, projections[entry.Resource]).Change is { } change) changes.Add(change);
                else Refused.Add(subject);
            }

            await CopyAsync(events.Key, changes, ct);
            // The data is a slice of the page, which would stay in memory as a whole.
            LastOfResource[events.Key] = events.Last() with { Data = default };
        }

        Position = page[^1].Position;
    }

    // Documents were superseded where the log grew while it was read; the rows are in its order.
    private async Task CompleteAsync(CancellationToken ct)
    {
        string[] tables = [.. Resource.Names.Select(resource => RebuiltTables.StagedPrefix + resource)];
        foreach (var table in tables)
        {
            await ExecuteAsync(
                $"""
                DELETE FROM {table} AS t USING (
                    SELECT id, max(ctid) AS place FROM {table} GROUP BY id HAVING count(*) > 1) AS last
                WHERE t.id = last.id AND t.ctid <> last.place;
                ALTER TABLE {table} ADD PRIMARY KEY (id)
                """,
                ct);
        }

        await ExecuteAsync($"VACUUM (ANALYZE) {string.Join(", ", tables)}", ct);
    }

    private async Task CopyAsync(string resource, List<StateChange> changes, CancellationToken ct)
    {
        while (changes.Count > 0)
        {
            try
            {
                await projections[resource].StageAsync(connection, RebuiltTables.StagedPrefix, changes, ct);
                return;
            }
            catch (PostgresException refused) when (CopyLine.Of(refused) is { } line && line <= changes.Count)
            {
                Refused.Add((resource, changes[line - 1].State.Id));
                changes.RemoveAt(line - 1);
            }
        }
    }

    private async Task ExecuteAsync(string sql, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(ct);
    }
}
