using ApexShop.ReadModels;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Documents;

internal sealed partial class DocumentWriter<TView>
{
    /// <summary>Adds the write of the bodies as queries show them. No column has a name of another document.</summary>
    public void WriteNames(StatementBatch statements, int[] ids) => statements.Add(
        $"""
        WITH shown AS MATERIALIZED (
            SELECT id, {PendingNames.Body(kind)} AS body FROM {ReadTables.Of(kind)}
            WHERE id = ANY($1) AND NOT is_deleted AND body IS NOT NULL),
        written AS (
            UPDATE {ReadTables.Of(kind)} AS t
            SET revision = DEFAULT, data = convert_from(shown.body, 'UTF8')::jsonb, body = shown.body
            FROM shown WHERE t.id = shown.id
            RETURNING t.id, t.revision)
        INSERT INTO {ReadTables.Changes} (kind, id, revision) SELECT '{kind}', id, revision FROM written
        ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision, is_removed = false
        """,
        Parameter(ids));
}
