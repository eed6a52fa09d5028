using ApexShop.ReadModels;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

/// <summary>
/// Compares the places of documents among the changes with the documents: each document has one, with its revision, and
/// a place without a document is of a removed one. A wrong place is replaced by a new last one, so that a client that
/// follows the changes reads the document again, or its deletion.
/// </summary>
internal sealed class ChangePlaces(string kind)
{
    // A place above the sequence is never followed by another write.
    private readonly string wrong = $"""
        SELECT coalesce(t.id, c.id) AS id, c.revision
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
        // The next numbers are above all that a client may have read. The sequence is raised after all wrong places are
        // found, because the comparison reads it.
        statements.Add(
            $"""
            WITH wrong AS MATERIALIZED ({wrong}), raised AS MATERIALIZED (
                SELECT CASE WHEN s.last_value < found.highest THEN setval('read.revisions', found.highest) END
                FROM read.revisions AS s, (SELECT max(revision) AS highest FROM wrong) AS found
            ), written AS (
                UPDATE {ReadTables.Of(kind)} AS t SET revision = DEFAULT FROM wrong, raised WHERE t.id = wrong.id
                RETURNING t.id, t.revision)
            INSERT INTO {ReadTables.Changes} (kind, id, revision, is_removed)
            SELECT '{kind}', wrong.id, coalesce(written.revision, nextval('read.revisions')), written.id IS NULL
            FROM wrong CROSS JOIN raised LEFT JOIN written ON written.id = wrong.id
            ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision, is_removed = excluded.is_removed
            """,
            Parameter(ids.Min()),
            Parameter(ids.Max()));
    }
}
