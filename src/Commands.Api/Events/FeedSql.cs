namespace ApexShop.Commands.Api.Events;

/// <summary>
/// The statements of the feed. Each first picks positions from one index, at most so many, and never reads further than
/// that: $1 is the position to start after, $2 the one to end with, $3 how many, the others are the filter.
/// </summary>
internal static class FeedSql
{
    public const string Head = "SELECT position FROM shop.log_positions WHERE name = 'head'";

    public const string All = "SELECT position FROM shop.events WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3";

    public const string OfResource =
        "SELECT position FROM shop.events WHERE resource = $4 AND position > $1 AND position <= $2 ORDER BY position LIMIT $3";

    // Each type by itself: an index gives the positions of one type in order, and those of several one type after the other.
    public const string OfTypes =
        """
        SELECT found.position FROM unnest($4) AS one (type) CROSS JOIN LATERAL (
            SELECT position FROM shop.events
            WHERE type = one.type AND position > $1 AND position <= $2 ORDER BY position LIMIT $3) AS found
        ORDER BY found.position LIMIT $3
        """;

    public const string OfAggregates =
        """
        SELECT found.position FROM unnest($4, $5) AS one (resource, id) CROSS JOIN LATERAL (
            SELECT position FROM shop.events
            WHERE resource = one.resource AND aggregate_id = one.id AND position > $1 AND position <= $2
            ORDER BY position LIMIT $3) AS found
        ORDER BY found.position LIMIT $3
        """;

    public const string LastOfAggregates =
        """
        SELECT found.position FROM unnest($4, $5) AS one (resource, id) CROSS JOIN LATERAL (
            SELECT position FROM shop.events
            WHERE resource = one.resource AND aggregate_id = one.id AND position <= $2
            ORDER BY position DESC LIMIT 1) AS found
        WHERE found.position > $1
        ORDER BY found.position LIMIT $3
        """;

    /// <summary>The entries at the places.</summary>
    public static string Entries(string places) => At(places, "");

    /// <summary>The same of places of aggregates, with nothing but its position for an entry of another type than asked for.</summary>
    public static string EntriesOfTypes(string places) => At(places, "AND ($6 IS NULL OR entry.type = ANY ($6))");

    /// <summary>
    /// The same, with nothing but its position for an entry whose aggregate has a later one. The log is walked and not
    /// its aggregates, because positions are what a reader resumes from; the probe of the index makes it some
    /// microseconds an entry.
    /// </summary>
    public static string LastEntries(string places) => At(places,
        """
        AND NOT EXISTS (
            SELECT FROM shop.events AS later
            WHERE later.resource = entry.resource AND later.aggregate_id = entry.aggregate_id
                AND later.position > entry.position AND later.position <= $2)
        """);

    // The limit of one leaves the planner no other way than to look each place up in the primary key.
    private static string At(string places, string condition) =>
        $"""
        WITH places AS MATERIALIZED ({places})
        SELECT places.position, entry.previous, entry.event_id, entry.type, entry.resource, entry.aggregate_id, entry.time,
            entry.trace_parent, entry.data
        FROM places LEFT JOIN LATERAL (
            SELECT * FROM shop.events AS entry WHERE entry.position = places.position {condition} LIMIT 1) AS entry ON true
        ORDER BY places.position
        """;
}
