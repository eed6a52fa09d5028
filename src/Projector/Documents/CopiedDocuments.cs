namespace ApexShop.Projector.Documents;

/// <summary>Documents that were copied into a new table, until they are summarised in the side tables.</summary>
internal abstract class CopiedDocuments
{
    public abstract Task SummariseAsync(StatementBatch statements, CancellationToken ct);
}
