using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Projecting;

/// <summary>How its transaction ends.</summary>
internal sealed partial class ProjectionState
{
    /// <summary>Stores the new checkpoints and the pending tags, and commits.</summary>
    public static Task<PendingTags> CommitAsync(
        StatementBatch statements,
        IReadOnlyDictionary<string, LogEntry> reached,
        string currency,
        PendingTags pending,
        CancellationToken ct)
    {
        SaveCheckpoints(statements, reached, currency);
        return CommitAsync(statements, pending, ct);
    }

    /// <summary>
    /// Raises the segments, those of changed documents to <paramref name="segmentVersion"/> or by 1 if that is not
    /// higher, stores the tags with the pending ones, and commits; the checkpoints stay the same.
    /// </summary>
    public static Task<PendingTags> CommitAsync(
        StatementBatch statements,
        Invalidations invalidations,
        long segmentVersion,
        PendingTags pending,
        CancellationToken ct)
    {
        invalidations.RaiseSegments(statements, segmentVersion);
        return CommitAsync(statements, pending.With(invalidations.Tags), ct);
    }

    private static async Task<PendingTags> CommitAsync(
        StatementBatch statements, PendingTags pending, CancellationToken ct)
    {
        var stored = pending;
        statements.Add(
            PendingTags.UpdateSql,
            row => stored = pending.Stored(row),
            Parameter(pending.Tags.ToArray()),
            Parameter(pending.SinceOrNever));
        statements.Add("COMMIT");
        await statements.RunAsync(ct);
        return stored;
    }

    // The currency is stored with the first checkpoint: a later one does not show that all documents have it.
    public static void SaveCheckpoints(
        StatementBatch statements, IReadOnlyDictionary<string, LogEntry> reached, string currency) =>
        statements.Add(
        """
        UPDATE read.checkpoints AS c SET position = u.position, event_id = u.event_id,
            currency = CASE c.position WHEN 0 THEN $4 ELSE c.currency END
        FROM unnest($1, $2, $3) AS u (resource, position, event_id) WHERE c.resource = u.resource
        """,
        Parameter(reached.Keys.ToArray()),
        Parameter(reached.Values.Select(entry => entry.Position).ToArray()),
        Parameter(reached.Values.Select(entry => entry.Id).ToArray()),
        Parameter(currency));
}
