using ApexShop.ReadModels;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>The statements.</summary>
internal sealed partial class ParkedAggregates
{
    // An aggregate may have millions of parked events: the first and the last are read, in the order of the index.
    private static readonly string listSql = $"""
        WITH RECURSIVE aggregates AS (
            SELECT $1 AS resource, $2 AS aggregate_id
            UNION ALL
            SELECT following.* FROM aggregates CROSS JOIN LATERAL (
                SELECT resource, aggregate_id FROM read.parked_events AS parked
                WHERE (parked.resource, parked.aggregate_id) > (aggregates.resource, aggregates.aggregate_id)
                ORDER BY resource, aggregate_id LIMIT 1) AS following
            WHERE $3 = '' OR following.resource = $3
        ), listed AS (
            SELECT * FROM aggregates OFFSET 1 LIMIT $4
        )
        SELECT listed.resource, listed.aggregate_id, {CountSql("listed.resource, listed.aggregate_id")}::integer,
            first.position, last.position, first.parked_at, first.reason
        FROM listed CROSS JOIN LATERAL (
            SELECT position, parked_at, reason FROM read.parked_events
            WHERE (resource, aggregate_id) >= (listed.resource, listed.aggregate_id)
            ORDER BY resource, aggregate_id, position LIMIT 1) AS first
        CROSS JOIN LATERAL (
            SELECT position FROM read.parked_events
            WHERE (resource, aggregate_id) <= (listed.resource, listed.aggregate_id)
            ORDER BY resource DESC, aggregate_id DESC, position DESC LIMIT 1) AS last
        ORDER BY listed.resource, listed.aggregate_id
        """;

    private const string FindSql = """
        SELECT position, parked_at, reason, event FROM read.parked_events
        WHERE resource = $1 AND aggregate_id = $2 AND position > $3 ORDER BY position LIMIT $4
        """;

    private const string LastSql = """
        SELECT event FROM (
            SELECT resource, aggregate_id, event FROM read.parked_events WHERE (resource, aggregate_id) <= ($1, $2)
            ORDER BY resource DESC, aggregate_id DESC, position DESC LIMIT 1) AS last
        WHERE resource = $1 AND aggregate_id = $2
        """;

    private const string DiscardSql = """
        WITH discarded AS (DELETE FROM read.parked_events WHERE resource = $1 AND aggregate_id = $2 RETURNING position)
        SELECT count(*)::integer FROM discarded
        """;

    /// <summary>The number of an aggregate's parked events, up to <see cref="ParkedCounts.Most"/>.</summary>
    /// <param name="aggregate">Its resource and its id, in SQL.</param>
    public static string CountSql(string aggregate) => $"""
        (SELECT count(*) FROM (
            SELECT FROM read.parked_events WHERE (resource, aggregate_id) = ({aggregate}) LIMIT {ParkedCounts.Most})
            AS counted)
        """;

    public static string VersionSql(string resource) => $"SELECT version FROM {ReadTables.Of(resource)} WHERE id = $1";
}
