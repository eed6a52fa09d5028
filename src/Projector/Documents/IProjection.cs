using System.Text.Json;
using ApexShop.Events;
using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Keeps the documents of one kind.</summary>
internal interface IProjection
{
    string Kind { get; }

    /// <summary>The documents of other kinds that show a name of this one.</summary>
    IReadOnlyList<ReferenceQuery> ShownIn { get; }

    /// <summary>The state in an event of this kind.</summary>
    /// <exception cref="JsonException">The data contains none.</exception>
    IAggregateState ReadState(LogEntry entry);

    /// <summary>
    /// Loads what the changed documents show of other kinds, derives the documents, writes them, and summarises them in
    /// the side tables. The last statements run with the next ones of the transaction.
    /// </summary>
    Task ApplyAsync(
        StatementBatch statements,
        IReadOnlyList<StateChange> changes,
        DependentDocuments dependents,
        Invalidations invalidations,
        CancellationToken ct);

    /// <summary>Deletes the rows, whatever they contain.</summary>
    Task DeleteAsync(
        StatementBatch statements,
        int[] ids,
        DependentDocuments dependents,
        Invalidations invalidations,
        CancellationToken ct);

    /// <summary>Counts the documents of this kind again for those that show totals of them.</summary>
    void RecountTotals(StatementBatch statements, DependentDocuments dependents);

    /// <summary>Derives again what the documents show of other kinds. An unchanged document is not written.</summary>
    Task RefreshAsync(StatementBatch statements, int[] ids, Invalidations invalidations, CancellationToken ct);

    /// <summary>
    /// Writes the documents with the names that are pending, as queries show them. Each gets a new revision.
    /// </summary>
    void WriteNames(StatementBatch statements, int[] ids, Invalidations invalidations);

    /// <summary>The checksum of a state as <see cref="StateChecksum"/> defines it; a deletion has none.</summary>
    byte[]? ChecksumOf(IAggregateState state);

    /// <summary>Compares the documents of these ids, all of one segment, with what they must contain.</summary>
    Task<DocumentCheckResult> CheckAsync(StatementBatch statements, int[] ids, CheckedPart part, CancellationToken ct);

    /// <summary>Writes the side table rows of these documents again.</summary>
    Task RepairSideTablesAsync(StatementBatch statements, int[] ids, Invalidations invalidations, CancellationToken ct);

    /// <summary>Copies the documents of the changes, without derived values, into the table with the prefix.</summary>
    Task StageAsync(
        NpgsqlConnection connection, string prefix, IEnumerable<StateChange> changes, CancellationToken ct);

    /// <summary>The next staged documents after an id, with values that are derived from all of them.</summary>
    Task<DocumentChunk?> NextAsync(StatementBatch staged, long after, CancellationToken ct);

    /// <summary>Fills the empty side tables from all documents.</summary>
    void FillSideTables(StatementBatch statements);
}

/// <summary>A document before and after a change; null where there was or is none.</summary>
internal sealed record DocumentChange<TView>(int Id, TView? Before, TView? After)
    where TView : class
{
    /// <summary>False when there was a document that cannot be read.</summary>
    public bool IsBeforeKnown { get; init; } = true;
}
