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
/// filled chunk by chunk. They are dropped when the rebuild ends; those of a killed process when a rebuild begins that
/// does not continue it.
/// </summary>
internal sealed class StagedTables(NpgsqlConnection connection, Projections projections, RebuildSteps steps)
{
    private static readonly string[] tables = [.. Resource.Names.Select(name => RebuiltTables.StagedPrefix + name)];

    private readonly StatementBatch statements = new(connection);
    private readonly StatementBatch staged = new(connection, RebuiltTables.StagedPrefix);

    /// <summary>The position up to which they have the log.</summary>
    public long Position { get; private set; }

    /// <summary>Creates the tables, if a rebuild that is continued did not.</summary>
    public async Task CreateAsync(CancellationToken ct)
    {
        if (!steps.Contains(RebuildSteps.Staging))
        {
            await ExecuteAsync(StagedTableDdl.CreateSql, ct);
            staged.Add(
                "INSERT INTO read.checkpoints (resource, position) SELECT unnest($1), 0",
                Parameter(Resource.Names.ToArray()));
            await staged.RunAsync(ct);
            await steps.AddAsync(RebuildSteps.Staging, ct);
        }

        staged.Add("SELECT max(position) FROM read.checkpoints", row => Position = row.GetInt64(0));
        await staged.RunAsync(ct);
    }

    /// <summary>Fills the tables with the log after the position.</summary>
    public async Task ReadAsync(EventLogClient log, RebuildProgress progress, CancellationToken ct)
    {
        progress.Position = Position;
        if (!steps.Contains(RebuildSteps.Staged))
        {
            await foreach (var page in log.CompactedAsync(Position, ct))
            {
                await AddAsync(page, ct);
                progress.Position = Position;
            }

            await CompleteAsync(ct);
        }

        await ExecuteAsync($"VACUUM (ANALYZE) {string.Join(", ", tables)}", ct);
    }

    /// <summary>Removes the suspects and counts what the documents show of other kinds.</summary>
    public async Task RemoveSuspectsAsync(CancellationToken ct)
    {
        StagedSuspects.Remove(staged);
        StagedTotalTables.Count(staged);
        await staged.RunAsync(ct);
        await ExecuteAsync(StagedTableDdl.CountCategoriesSql, ct);
    }

    /// <summary>The number of documents of each resource.</summary>
    public async Task<Dictionary<string, long>> CountAsync(CancellationToken ct)
    {
        var counts = new Dictionary<string, long>();
        foreach (var resource in Resource.Names)
            staged.Add($"SELECT count(*) FROM {ReadTables.Of(resource)}", row => counts[resource] = row.GetInt64(0));
        await staged.RunAsync(ct);
        return counts;
    }

    private async Task AddAsync(IReadOnlyList<LogEntry> page, CancellationToken ct)
    {
        var reached = new Dictionary<string, LogEntry>();
        foreach (var events in page.GroupBy(entry => entry.Resource).Where(of => Resource.Names.Contains(of.Key)))
        {
            var (changes, refused) = (new List<StateChange>(page.Count), new List<int>());
            foreach (var entry in events)
            {
                if (DecodedEvent.Decode(entry, projections[entry.Resource]).Change is { } change) changes.Add(change);
                else refused.Add(entry.AggregateId);
            }

            await CopyAsync(events.Key, changes, refused, ct);
            StagedSuspects.Add(staged, events.Key, refused);
            reached[events.Key] = events.Last();
        }

        // After a crash before this the page is read again; then it is twice in the tables, until they are completed.
        ProjectionState.SaveCheckpoints(staged, reached, projections.Currency);
        await staged.RunAsync(ct);
        Position = page[^1].Position;
    }

    // Documents were superseded where the log grew while it was read.
    private async Task CompleteAsync(CancellationToken ct)
    {
        await using var transaction = await connection.BeginTransactionAsync(ct);
        foreach (var table in tables)
        {
            await ExecuteAsync(
                $"""
                DELETE FROM {table} AS t WHERE EXISTS (
                    SELECT FROM {table} AS later
                    WHERE later.id = t.id AND (later.version, later.ctid) > (t.version, t.ctid));
                ALTER TABLE {table} ADD PRIMARY KEY (id)
                """,
                ct);
        }

        StagedSuspects.AddParked(statements);
        await statements.RunAsync(ct);
        await steps.AddAsync(RebuildSteps.Staged, ct);
        await transaction.CommitAsync(ct);
    }

    private async Task CopyAsync(
        string resource, List<StateChange> changes, List<int> refused, CancellationToken ct)
    {
        while (changes.Count > 0)
        {
            try
            {
                await projections[resource].StageAsync(connection, RebuiltTables.StagedPrefix, changes, ct);
                return;
            }
            catch (PostgresException exception) when (CopyErrorLine.Of(exception) is { } line && line <= changes.Count)
            {
                refused.Add(changes[line - 1].State.Id);
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
