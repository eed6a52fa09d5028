using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Fills the new tables from the staged ones, in one transaction. The next chunk is read on another connection while
/// one is written.
/// </summary>
internal sealed class TableFiller(
    NpgsqlConnection connection,
    NpgsqlDataSource database,
    StagedTables staged,
    Projections projections,
    ParkedRetry parkedRetry,
    RebuildProgress progress)
{
    /// <summary>
    /// Gives the aggregates that stay parked. Suspects are those that were parked before; one that the database refuses
    /// becomes a suspect, and the tables are filled again without it.
    /// </summary>
    public async Task<HashSet<(string Resource, int Id)>> RunAsync(
        HashSet<(string Resource, int Id)> suspects, CancellationToken ct)
    {
        suspects.UnionWith(staged.Refused);
        while (true)
        {
            progress.Begin(RebuildPhase.Copying, await staged.RemoveAsync(suspects, ct));
            await using var transaction = await connection.BeginTransactionAsync(ct);
            try
            {
                var parked = await FillAsync(suspects, ct);
                await transaction.CommitAsync(ct);
                return parked;
            }
            catch (RefusedException refused)
            {
                await transaction.RollbackAsync(ct);
                suspects.Add((refused.Resource, refused.Id));
            }
        }
    }

    private async Task<HashSet<(string Resource, int Id)>> FillAsync(
        HashSet<(string Resource, int Id)> suspects, CancellationToken ct)
    {
        await TableDdl.CreateAsync(connection, ct);
        var statements = new StatementBatch(connection, RebuiltTables.NextPrefix);
        foreach (var resource in Resource.Names)
        {
            await CopyAsync(resource, ct);
            Summarise(statements, resource);
            await statements.RunAsync(ct);
        }

        StagedTotalTables.Copy(statements);
        statements.Add(
            "INSERT INTO read.checkpoints (resource, position) SELECT resource, 0 FROM unnest($1) AS u (resource)",
            Parameter(Resource.Names.ToArray()));
        await statements.RunAsync(ct);

        progress.Phase = RebuildPhase.Indexing;
        await TableDdl.IndexAsync(connection, ct);
        return await parkedRetry.TryAsync(statements, suspects, staged.Position, ct);
    }

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
    private void Summarise(StatementBatch statements, string resource)
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
