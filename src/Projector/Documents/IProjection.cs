using System.Text.Json;
using ApexShop.Events;
using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Keeps the documents of one kind.</summary>
internal interface IProjection
{
    string Kind { get; }

    /// <summary>The state an event of this kind carries.</summary>
    /// <exception cref="JsonException">It carries none.</exception>
    IAggregateState ReadState(LogEntry entry);

    /// <summary>
    /// Adds the changed documents to the round and says which documents of other kinds show something of them. After
    /// the round, what it gives adds what stands beside the documents that were written.
    /// </summary>
    Task<Action<StatementBatch>> ApplyAsync(
        StatementBatch statements, IReadOnlyList<StateChange> changes, DependentDocuments dependents, Invalidations invalidations, CancellationToken ct);

    /// <summary>
    /// Takes the rows away, whatever stands in them, and says which documents of other kinds may show something of what
    /// they said or should have said.
    /// </summary>
    Task<DeletedRows> DeleteAsync(StatementBatch statements, int[] ids, DependentDocuments dependents, Invalidations invalidations, CancellationToken ct);

    /// <summary>Derives again what the documents show of other kinds; what stays the same is not written.</summary>
    Task RefreshAsync(StatementBatch statements, int[] ids, long revision, Invalidations invalidations, CancellationToken ct);

    /// <summary>The checksum of a state as <see cref="StateChecksum"/> says; a deletion has none.</summary>
    byte[]? ChecksumOf(IAggregateState state);

    /// <summary>Holds the documents of these ids, all of one segment, against themselves and against what they are derived from.</summary>
    Task<DocumentCheckResult> CheckAsync(StatementBatch statements, int[] ids, CheckedPart part, CancellationToken ct);

    /// <summary>Writes anew what stands beside the documents of these ids.</summary>
    Task RepairSideTablesAsync(StatementBatch statements, int[] ids, Invalidations invalidations, CancellationToken ct);
    /// <summary>
    /// Copies the documents into their empty table in the schema, each as it is with everything else known. What it gives
    /// adds, piece by piece, what stands beside them.
    /// </summary>
    Task<IReadOnlyList<Action<StatementBatch>>> CopyAsync(
        NpgsqlConnection connection, string schema, IReadOnlyList<StateChange> changes, IDerivedValueSource known, Action copied, CancellationToken ct);
}

/// <summary>A document before and after an event; null where there was or is none.</summary>
internal sealed record DocumentChange<TView>(int Id, TView? Before, TView? After)
    where TView : class;

/// <summary>Rows that were taken away: the highest revision among them, and what to bring up to date afterwards.</summary>
internal sealed record DeletedRows(long Revision, Action<StatementBatch> Summarise);
