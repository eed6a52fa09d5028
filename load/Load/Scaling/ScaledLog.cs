namespace ApexShop.Load.Scaling;

/// <summary>
/// The event log of rows that were written without it: one event of each aggregate with its state. The documents are
/// regarded as up to date with it, so that nothing is projected before the rebuild that makes them.
/// </summary>
internal static class ScaledLog
{
    private static readonly (string Resource, string Type, string State, string Time)[] aggregates =
    [
        ("categories", "apexshop.category.created", "category_state", "created_date"),
        ("users", "apexshop.user.created", "user_state", "created_date"),
        ("products", "apexshop.product.created", "product_state", "created_date"),
        ("orders", "apexshop.order.placed", "order_state", "order_date"),
        ("reviews", "apexshop.review.created", "review_state", "created_date"),
    ];

    public static IEnumerable<(string What, string Sql)> Statements()
    {
        foreach (var (resource, type, state, time) in aggregates)
        {
            var ids = state.Replace("_state", "_ids", StringComparison.Ordinal);
            yield return ($"events of {resource}", $"""
                INSERT INTO shop.events
                    (position, previous, event_id, type, resource, aggregate_id, version, time, data)
                SELECT head.position + row.id, CASE WHEN row.id > 1 THEN head.position + row.id - 1 ELSE 0 END,
                    gen_random_uuid(), '{type}', '{resource}', row.id, 1, row.{time}, shop.{state}(row)
                FROM shop.{resource} AS row
                CROSS JOIN (SELECT coalesce(max(position), 0) AS position FROM shop.events) AS head
                ORDER BY row.id;
                SELECT setval('shop.{ids}', max(id)) FROM shop.{resource}
                """);
        }

        yield return ("positions", """
            UPDATE shop.log_positions AS l SET position = last.position
            FROM (SELECT resource AS name, max(position) AS position FROM shop.events GROUP BY resource
                  UNION ALL SELECT name, (SELECT max(position) FROM shop.events)
                  FROM unnest(ARRAY['head', 'published']) AS name) AS last
            WHERE last.name = l.name;
            UPDATE read.checkpoints AS c SET position = e.position, event_id = e.event_id
            FROM shop.log_positions AS l JOIN shop.events AS e ON e.position = l.position
            WHERE l.name = c.resource
            """);
    }
}
