using ApexShop.Hosting;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Copies the staged documents of a resource into their new table, some in each transaction. The next chunk is read on
/// another connection while one is written.
/// </summary>
internal sealed class DocumentFiller(
    NpgsqlConnection connection,
    NpgsqlDataSource database,
    Projections projections,
    RebuildSteps steps,
    RebuildProgress progress,
    int transactionDocuments)
{
    /// <summary>Notes the documents of an earlier rebuild, which this one continues.</summary>
    public async Task BeginAsync(string resource, CancellationToken ct)
    {
        if (steps.LastId(resource) is not { } last) return;
        var tables = new StatementBatch(connection, RebuiltTables.StagedPrefix);
        tables.Add(
            $"SELECT count(*)::int FROM {ReadTables.Of(resource)} WHERE id <= $1",
            row => progress.Copied(resource, row.GetInt32(0)),
            Parameter(last));
        await tables.RunAsync(ct);
    }

    /// <summary>Copies the next documents, in one transaction with their step; false if none is left.</summary>
    /// <exception cref="RefusedDocumentException">The database refuses a document.</exception>
    public async Task<bool> CopyNextAsync(string resource, CancellationToken ct)
    {
        var last = steps.LastId(resource);
        await using var transaction = await connection.BeginTransactionAsync(ct);
        // Rows of a table that is emptied in their transaction can be frozen: they are not written again later.
        if (last is null) await EmptyAsync(resource, ct);
        if (await CopyAsync(resource, last, ct) is not { } id) return false;
        await steps.AddAsync(RebuildSteps.UpTo(resource, id), ct);
        await transaction.CommitAsync(ct);
        return true;
    }

    private async Task EmptyAsync(string resource, CancellationToken ct)
    {
        await using var command = new NpgsqlCommand($"TRUNCATE {RebuiltTables.NextPrefix}{resource}", connection);
        await command.ExecuteNonQueryAsync(ct);
    }

    // Returns the id of the last one.
    private async Task<int?> CopyAsync(string resource, int? after, CancellationToken ct)
    {
        await using var reading = await database.OpenConnectionAsync(ct);
        var tables = new StatementBatch(reading, RebuiltTables.StagedPrefix);
        var (last, copied) = (after, 0);
        var next = projections[resource].NextAsync(tables, after ?? long.MinValue, ct);
        try
        {
            while (copied < transactionDocuments && await next is { } chunk)
            {
                last = chunk.Ids[^1];
                next = projections[resource].NextAsync(tables, chunk.Ids[^1], ct);
                await CopyAsync(resource, chunk, isEmptied: after is null, ct);
                progress.Copied(resource, chunk.Ids.Count);
                copied += chunk.Ids.Count;
            }
        }
        finally
        {
            await next.WithoutThrowing();
        }

        return copied > 0 ? last : null;
    }

    private async Task CopyAsync(string resource, DocumentChunk chunk, bool isEmptied, CancellationToken ct)
    {
        try
        {
            await chunk.CopyAsync(connection, RebuiltTables.NextPrefix, isEmptied, ct);
        }
        catch (PostgresException refused) when (CopyErrorLine.Of(refused) is { } line && line <= chunk.Ids.Count)
        {
            throw new RefusedDocumentException(resource, chunk.Ids[line - 1], refused);
        }
    }
}

/// <summary>The database refuses a document of the new tables.</summary>
internal sealed class RefusedDocumentException(string resource, int id, Exception inner)
    : Exception(inner.Message, inner)
{
    public string Resource => resource;

    public int Id => id;
}
