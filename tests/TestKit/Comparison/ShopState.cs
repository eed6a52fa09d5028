using ApexShop.Resources;

namespace ApexShop.TestKit.Comparison;

/// <summary>The conditions that hold for a shop whenever all changes have been projected.</summary>
public sealed class ShopState(Shop shop)
{
    private const int ShownDifferences = 5;

    public Database Database { get; } = new(shop.Database.Superuser);

    /// <summary>Waits until the log holds every change and the documents show the whole log.</summary>
    public async Task ProjectedAsync(TimeSpan? deadline = null)
    {
        var progress = "";
        try
        {
            await Eventually.Holds(
                async () => (progress = await ProgressAsync()) == "", "everything is projected", deadline);
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"{late.Message}\n{progress}\n{shop.Tail()}", late);
        }
    }

    /// <summary>
    /// Every document equals the tables, field by field, and there are no other documents.
    /// </summary>
    public async Task DocumentsEqualTablesAsync()
    {
        var problems = new List<string>();
        foreach (var resource in Resource.Names)
        {
            problems.AddRange(await Database.RowsAsync(DifferencesSql(resource)));
            problems.AddRange(await Database.RowsAsync(FaultyRowsSql(resource)));
            problems.AddRange(await Database.RowsAsync(FaultySegmentsSql(resource)));
        }

        Nothing(problems);
    }

    /// <summary>A process that takes the lead raises it.</summary>
    public Task<long> LeaderTermAsync() => Database.ScalarAsync<long>("SELECT term FROM shop.leader");

    /// <summary>
    /// Positions start at 1 without gaps or duplicates, each event has the right previous position, and all are
    /// published.
    /// </summary>
    public async Task LogIsWholeAsync() => Nothing(
    [
        .. await Database.RowsAsync("SELECT 'in the outbox:', id, type FROM shop.outbox"),
        .. await Database.RowsAsync("""
            SELECT 'positions are not 1..n:', count(*), min(position), max(position), count(DISTINCT event_id)
                FROM shop.events
            HAVING (count(*), count(*), count(*))
                IS DISTINCT FROM (max(position), count(DISTINCT event_id), count(DISTINCT position))
            """),
        .. await Database.RowsAsync("""
            SELECT 'previous is wrong:', resource, position, previous, expected
            FROM (SELECT resource, position, previous,
                         coalesce(lag(position) OVER (PARTITION BY resource ORDER BY position), 0) AS expected
                  FROM shop.events) e
            WHERE previous IS DISTINCT FROM expected ORDER BY position
            """),
        .. await Database.RowsAsync("""
            SELECT 'version is wrong:', resource, aggregate_id, position, version, expected
            FROM (SELECT resource, aggregate_id, position, version,
                         row_number() OVER (PARTITION BY resource, aggregate_id ORDER BY position) AS expected
                  FROM shop.events) e
            WHERE version <> expected ORDER BY position
            """),
        .. await Database.RowsAsync("""
            SELECT 'log position is wrong:', l.name, l.position, e.position
            FROM shop.log_positions l
            CROSS JOIN LATERAL (SELECT coalesce(max(position), 0) AS position FROM shop.events
                                WHERE l.name IN ('head', 'published', resource)) e
            WHERE l.position <> e.position
            """),
    ]);

    /// <summary>
    /// The last event of every aggregate equals its row; the last event of a deleted aggregate is its deletion.
    /// </summary>
    public async Task LogEqualsTablesAsync()
    {
        var problems = new List<string>();
        foreach (var resource in Resource.All)
            problems.AddRange(await Database.RowsAsync(LastStatesSql(resource.Name, resource.Singular)));
        Nothing(problems);
    }

    private static void Nothing(List<string> problems) => problems.ShouldBeEmpty();

    private async Task<string> ProgressAsync() => string.Join('\n', await Database.RowsAsync("""
        SELECT 'waiting in the outbox:', count(*)::text, '' FROM shop.outbox HAVING count(*) > 0
        UNION ALL
        SELECT 'not projected:', l.name, coalesce(c.position, 0) || ' of ' || l.position
        FROM shop.log_positions l LEFT JOIN read.checkpoints c ON c.resource = l.name
        WHERE l.name NOT IN ('head', 'published') AND l.position IS DISTINCT FROM c.position
        UNION ALL
        SELECT 'not published:', p.position::text, 'of ' || h.position
        FROM shop.log_positions p, shop.log_positions h
        WHERE p.name = 'published' AND h.name = 'head' AND p.position <> h.position
        UNION ALL
        SELECT 'names not written again:', count(*)::text, '' FROM read.pending_names HAVING count(*) > 0
        """));

    private static string DifferencesSql(string resource) => $"""
        SELECT '{resource}/' || coalesce(t.id, d.id) || CASE
            WHEN t.id IS NULL THEN ' has a document but no row'
            WHEN d.id IS NULL THEN ' has a row but no document'
            ELSE (SELECT string_agg(format(' %s is %s, expected %s', key, coalesce(actual.value::text, 'absent'),
                                           coalesce(expected.value::text, 'absent')), ';' ORDER BY key)
                  FROM jsonb_each(d.data) actual FULL JOIN jsonb_each(t.expected) expected USING (key)
                  WHERE actual.value::text IS DISTINCT FROM expected.value::text) END
        FROM ({ExpectedDocuments.Sql[resource]}) t
        FULL JOIN (SELECT id, data FROM read.{resource} WHERE NOT is_deleted) d ON d.id = t.id
        WHERE t.expected::text IS DISTINCT FROM d.data::text
        ORDER BY coalesce(t.id, d.id) LIMIT {ShownDifferences}
        """;

    private static string FaultyRowsSql(string resource) => $"""
        SELECT '{resource}/' || d.id || CASE
            WHEN d.is_deleted THEN ' is deleted and keeps its document'
            WHEN convert_from(d.body, 'UTF8')::jsonb::text IS DISTINCT FROM d.data::text
                THEN ' has a body that is not its data'
            WHEN d.revision < e.position THEN ' has a revision before its last event'
            ELSE ' has promoted columns that are not its data' END
        FROM read.{resource} d
        CROSS JOIN LATERAL (
            SELECT max(position) AS position FROM shop.events WHERE resource = '{resource}' AND aggregate_id = d.id) e
        WHERE CASE WHEN d.is_deleted THEN d.data IS NOT NULL OR d.body IS NOT NULL
                   ELSE convert_from(d.body, 'UTF8')::jsonb::text IS DISTINCT FROM d.data::text
                        OR d.revision < e.position
                        OR NOT ({ExpectedDocuments.PromotedColumnsAgree[resource]}) END
        ORDER BY d.id LIMIT {ShownDifferences}
        """;

    private static string FaultySegmentsSql(string resource) => $"""
        SELECT format('segment %s of {resource} counts %s documents, there are %s',
                      coalesce(s.segment, d.segment), s.document_count, d.documents)
        FROM (SELECT segment, document_count FROM read.segments WHERE kind = '{resource}') s
        FULL JOIN (SELECT id / {ReadModels.ReadTables.SegmentSize} AS segment, count(*) AS documents
                   FROM read.{resource} WHERE NOT is_deleted GROUP BY 1) d ON d.segment = s.segment
        WHERE coalesce(s.document_count, 0) <> coalesce(d.documents, 0)
        ORDER BY 1 LIMIT {ShownDifferences}
        """;

    private static string LastStatesSql(string resource, string one) => $"""
        SELECT '{resource}/' || coalesce(e.aggregate_id, r.id) || CASE
            WHEN r.id IS NULL THEN ' has no row and its last event is ' || e.type
            WHEN e.aggregate_id IS NULL THEN ' has a row and no event'
            ELSE ' is ' || r.state || ', its last event says ' || e.data END
        FROM (SELECT DISTINCT ON (aggregate_id) aggregate_id, type, data FROM shop.events
              WHERE resource = '{resource}' ORDER BY aggregate_id, position DESC) e
        FULL JOIN (SELECT t.id, shop.{one}_state(t) AS state FROM shop.{resource} t) r ON r.id = e.aggregate_id
        WHERE CASE WHEN r.id IS NULL THEN e.type NOT LIKE '%.deleted'
                   ELSE e.data::jsonb::text IS DISTINCT FROM r.state::jsonb::text END
        ORDER BY 1 LIMIT {ShownDifferences}
        """;
}
