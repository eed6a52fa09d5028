using ApexShop.Commands.Api.Outbox;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// The statements that read the event log. Each first selects a limited number of positions from one index and reads
/// nothing beyond them: $1 is the position to start after, $2 the last position, $3 the limit, the others are the
/// filter.
/// </summary>
internal static class EventLogSql
{
    public const string Head =
        $"SELECT position, {EventLog.IdentitySql} FROM shop.log_positions WHERE name = 'head'";

    /// <summary>The same from the primary, not from a server that was replaced and still responds.</summary>
    public const string CheckedHead =
        $"SELECT head.*, {PrimaryCheck.Sql} FROM ({Head}) AS head";

    /// <summary>Up to which position the log is that of the identity $1; null if it never had it.</summary>
    public const string CommonWith =
        $"""
        SELECT (SELECT coalesce(min(later.common_up_to), 9223372036854775807) FROM shop.log_identities AS known
                LEFT JOIN shop.log_identities AS later ON later.generation > known.generation
                WHERE known.id = $1 GROUP BY known.id),
            {PrimaryCheck.Sql}
        """;

    /// <summary>The position of the last event of these types that was removed; 0 without one.</summary>
    public const string RemovedUpTo =
        "SELECT coalesce(max(position), 0) FROM shop.log_removals WHERE type = ANY ($1)";

    /// <summary>
    /// About how many bytes the events take that were not compacted yet: their number, and the size of the last ones.
    /// </summary>
    public const string BytesToCompact =
        """
        SELECT coalesce((head.position - compacted.position) * (
            SELECT avg(pg_column_size(last)) FROM (
                SELECT * FROM shop.events ORDER BY position DESC LIMIT 1000) AS last), 0)::bigint
        FROM shop.log_positions AS head CROSS JOIN shop.log_compaction AS compacted WHERE head.name = 'head'
        """;

    public const string All =
        "SELECT position FROM shop.events WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3";

    // The row comparison leaves only the index (resource, position): with an equality the planner may as well choose
    // the primary key, and then reads the whole log for a resource that is rare.
    public const string OfResource =
        """
        SELECT position FROM shop.events
        WHERE (resource, position) > ($4, $1) AND (resource, position) <= ($4, $2)
        ORDER BY resource, position LIMIT $3
        """;

    // One index scan per type: only within one type does the index give positions in order. For the row comparison see
    // OfResource.
    public const string OfTypes =
        """
        SELECT found.position FROM unnest($4) AS wanted (type) CROSS JOIN LATERAL (
            SELECT position FROM shop.events
            WHERE (type, position) > (wanted.type, $1) AND (type, position) <= (wanted.type, $2)
            ORDER BY type, position LIMIT $3) AS found
        ORDER BY found.position LIMIT $3
        """;

    public const string OfAggregates =
        """
        SELECT found.position FROM unnest($4, $5) AS wanted (resource, id) CROSS JOIN LATERAL (
            SELECT position FROM shop.events
            WHERE resource = wanted.resource AND aggregate_id = wanted.id AND position > $1 AND position <= $2
            ORDER BY position LIMIT $3) AS found
        ORDER BY found.position LIMIT $3
        """;

    public const string LastOfAggregates =
        """
        SELECT found.position FROM unnest($4, $5) AS wanted (resource, id) CROSS JOIN LATERAL (
            SELECT position FROM shop.events
            WHERE resource = wanted.resource AND aggregate_id = wanted.id AND position <= $2
            ORDER BY position DESC LIMIT 1) AS found
        WHERE found.position > $1
        ORDER BY found.position LIMIT $3
        """;

    /// <summary>The entries at these positions.</summary>
    public static string Entries(string positions) => At(positions, "");

    /// <summary>The same; an entry of a type that is not selected has only its position.</summary>
    public static string EntriesOfTypes(string positions) => At(positions, "AND ($6 IS NULL OR entry.type = ANY ($6))");

    /// <summary>
    /// The same; an entry whose aggregate has a later one has only its position. The log is read by position and not by
    /// aggregate, because readers resume at positions; the index lookup takes some microseconds per entry.
    /// </summary>
    public static string LastEntries(string positions) => At(positions,
        """
        AND NOT EXISTS (
            SELECT FROM shop.events AS later
            WHERE later.resource = entry.resource AND later.aggregate_id = entry.aggregate_id
                AND later.position > entry.position AND later.position <= $2)
        """);

    // The limit of one forces the planner to look each position up in the primary key.
    private static string At(string positions, string condition) =>
        $"""
        WITH selected AS MATERIALIZED ({positions})
        SELECT selected.position, entry.previous, entry.event_id, entry.type, entry.resource, entry.aggregate_id,
            entry.time, entry.trace_parent, entry.data, entry.actor, {EventLog.IdentitySql}
        FROM selected LEFT JOIN LATERAL (
            SELECT * FROM shop.events AS entry
            WHERE entry.position = selected.position {condition} LIMIT 1) AS entry ON true
        ORDER BY selected.position
        """;
}
