using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Fills the new tables from the staged ones, the documents of each resource in one transaction. The next chunk is read
/// on another connection while one is written.
/// </summary>
internal sealed class TableFiller(
    NpgsqlConnection connection,
    NpgsqlDataSource database,
    StagedTables staged,
    RebuildSteps steps,
    Projections projections,
    ParkedRetry parkedRetry,
    RebuildProgress progress)
{
    private readonly StatementBatch statements = new(connection, RebuiltTables.NextPrefix);

    /// <summary>
    /// An aggregate that the database refuses becomes a suspect, and the tables are filled again without it.
    /// </summary>
    public async Task RunAsync(CancellationToken ct)
    {
        if (steps.Contains(RebuildSteps.Filled)) await BeginAsync(ct);
        while (!steps.Contains(RebuildSteps.Filled))
        {
            try
            {
                await FillAsync(ct);
            }
            catch (RefusedException refused)
            {
                await steps.ReturnAsync(refused.Resource, refused.Id, ct);
            }
        }
    }

    private async Task FillAsync(CancellationToken ct)
    {
        await staged.RemoveSuspectsAsync(ct);
        await BeginAsync(ct);
        await StepAsync(RebuildSteps.Created, CreateAsync, ct);
        foreach (var resource in Resource.Names) await StepAsync(resource, _ => FillAsync(resource, ct), ct);

        progress.Phase = RebuildPhase.Indexing;
        await TableDdl.IndexAsync(connection, ct);
        await StepAsync(RebuildSteps.Filled, RetryParkedAsync, ct);
    }

    private async Task BeginAsync(CancellationToken ct) =>
        progress.Begin(RebuildPhase.Copying, await staged.CountAsync(ct), steps.Contains);

    // What a step has done and that it was done are one transaction.
    private async Task StepAsync(string step, Func<CancellationToken, Task> work, CancellationToken ct)
    {
        if (steps.Contains(step)) return;
        await using var transaction = await connection.BeginTransactionAsync(ct);
        await work(ct);
        await statements.RunAsync(ct);
        await steps.AddAsync(step, ct);
        await transaction.CommitAsync(ct);
    }

    private async Task CreateAsync(CancellationToken ct)
    {
        await TableDdl.DropAsync(connection, RebuiltTables.Next, ct, RebuiltTables.All);
        await TableDdl.CreateAsync(connection, ct);
        StagedTotalTables.Copy(statements);
        statements.Add($"INSERT INTO read.checkpoints SELECT * FROM {RebuiltTables.StagedPrefix}checkpoints");
    }

    private async Task FillAsync(string resource, CancellationToken ct)
    {
        // Emptied in this transaction, so that the rows can be frozen.
        statements.Add($"TRUNCATE {ReadTables.Of(resource)}");
        await statements.RunAsync(ct);
        await CopyAsync(resource, ct);
        Summarise(resource);
    }

    private Task RetryParkedAsync(CancellationToken ct) => parkedRetry.TryAsync(statements, staged.Position, ct);

    private async Task CopyAsync(string resource, CancellationToken ct)
    {
        await using var reading = await database.OpenConnectionAsync(ct);
        var tables = new StatementBatch(reading, RebuiltTables.StagedPrefix);
        var next = projections[resource].NextAsync(tables, long.MinValue, ct);
        try
        {
            while (await next is { } chunk)
            {
                next = projections[resource].NextAsync(tables, chunk.Ids[^1], ct);
                await CopyAsync(resource, chunk, ct);
                progress.Copied(resource, chunk.Ids.Count);
            }
        }
        finally
        {
            await ((Task)next).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    // Once for all documents: with each chunk the counts would be written again, and their earlier rows read.
    private void Summarise(string resource)
    {
        projections[resource].FillSideTables(statements);
        statements.Add(
            $"INSERT INTO {ReadTables.Changes} (kind, id, revision) "
                + $"SELECT '{resource}', id, revision FROM {ReadTables.Of(resource)}");
        statements.Add(
            $"INSERT INTO {ReadTables.Segments} (kind, segment, version, document_count) "
                + $"SELECT '{resource}', id / {ReadTables.SegmentSize}, $1, count(*) FROM {ReadTables.Of(resource)} "
                + "WHERE NOT is_deleted GROUP BY 2",
            Parameter(staged.Position));
    }

    private async Task CopyAsync(string resource, DocumentChunk chunk, CancellationToken ct)
    {
        try
        {
            await chunk.CopyAsync(connection, RebuiltTables.NextPrefix, ct);
        }
        catch (PostgresException refused) when (CopyLine.Of(refused) is { } line && line <= chunk.Ids.Count)
        {
            throw new RefusedException(resource, chunk.Ids[line - 1], refused);
        }
    }

    private sealed class RefusedException(string resource, int id, Exception inner) : Exception(inner.Message, inner)
    {
        public string Resource => resource;

        public int Id => id;
    }
}
