using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Fills the new tables from the staged ones, in transactions of limited size.
/// </summary>
internal sealed class TableFiller(
    NpgsqlConnection connection,
    DocumentFiller documents,
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
            catch (RefusedDocumentException refused)
            {
                await steps.ReturnToStagedAsync(refused.Resource, refused.Id, ct);
            }
        }
    }

    private async Task FillAsync(CancellationToken ct)
    {
        await staged.RemoveSuspectsAsync(ct);
        await BeginAsync(ct);
        await StepAsync(RebuildSteps.Created, CreateAsync, ct);
        foreach (var resource in Resource.Names.Where(resource => !steps.Contains(resource)))
            await FillAsync(resource, ct);

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
        await documents.BeginAsync(resource, ct);
        while (await documents.CopyNextAsync(resource, ct))
        {
        }

        await StepAsync(resource, _ => SummariseAsync(resource), ct);
    }

    private Task RetryParkedAsync(CancellationToken ct) => parkedRetry.TryAsync(statements, staged.Position, ct);

    // Once for all documents: with each chunk the counts would be written again, and their earlier rows read.
    private Task SummariseAsync(string resource)
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
        return Task.CompletedTask;
    }
}
