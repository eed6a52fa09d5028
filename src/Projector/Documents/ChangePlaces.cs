using ApexShop.ReadModels;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>
/// Compares the places of documents among the changes with the documents: each document has one, with its revision, and
/// the other places are of documents that were removed. A wrong place is replaced by a new last one, so that a client
/// that follows the changes reads the document again, or its deletion.
/// </summary>
internal sealed class ChangePlaces(string kind)
{
    // A place above the sequence is never followed by another write.
    private readonly string wrong = $"""
        SELECT coalesce(t.id, c.id) AS id
        FROM (SELECT id, revision FROM {ReadTables.Of(kind)} WHERE id BETWEEN $1 AND $2) AS t
        FULL JOIN (SELECT id, revision, is_removed FROM {ReadTables.Changes}
            WHERE kind = '{kind}' AND id BETWEEN $1 AND $2) AS c ON c.id = t.id
        WHERE CASE WHEN t.id IS NULL THEN NOT c.is_removed ELSE c.revision IS DISTINCT FROM t.revision END
            OR c.revision > (SELECT last_value FROM read.revisions)
        """;

    /// <summary>Adds the wrong places of one segment.</summary>
    public void Compare(StatementBatch statements, int[] ids, List<(string Table, int? Id)> found) => statements.Add(
        wrong, row => found.Add((ReadTables.Changes, row.GetInt32(0))), Parameter(ids[0]), Parameter(ids[^1]));

    /// <summary>Replaces the wrong places between the first and the last id.</summary>
    public void Repair(StatementBatch statements, int[] ids)
    {
        // The next numbers are above all that a client may have read.
        statements.Add(
            $"""
            SELECT setval('read.revisions', c.last) FROM read.revisions AS s,
                (SELECT max(revision) AS last FROM {ReadTables.Changes}
                WHERE kind = '{kind}' AND id BETWEEN $1 AND $2) AS c
            WHERE c.last > s.last_value
            """,
            _ => { },
            Parameter(ids.Min()),
            Parameter(ids.Max()));
        statements.Add(
            $"""
            WITH wrong AS ({wrong}), written AS (
                UPDATE {ReadTables.Of(kind)} AS t SET revision = DEFAULT FROM wrong WHERE t.id = wrong.id
                RETURNING t.id, t.revision)
            INSERT INTO {ReadTables.Changes} (kind, id, revision, is_removed)
            SELECT '{kind}', wrong.id, coalesce(written.revision, nextval('read.revisions')), written.id IS NULL
            FROM wrong LEFT JOIN written ON written.id = wrong.id
            ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision, is_removed = excluded.is_removed
            """,
            Parameter(ids.Min()),
            Parameter(ids.Max()));
    }
}
