using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Tests.Concurrency;

/// <summary>What tables and outbox must agree on, however many wrote them.</summary>
internal static class ShopBooks
{
    extension(CommandsApp app)
    {
        /// <summary>
        /// Versions of an aggregate in the outbox, in the order they were written, go up by exactly one; what is seeded
        /// has no first event.
        /// </summary>
        public Task<long> GapsAsync() => app.ScalarAsync<long>(
            """
            SELECT count(*) FROM (
                SELECT aggregate_id, version, lag(version) OVER (PARTITION BY resource, aggregate_id
                    ORDER BY id) AS before FROM shop.outbox) AS said
            WHERE version <> coalesce(before + 1, CASE WHEN aggregate_id >= 1000000 THEN 2 ELSE 1 END)
            """);

        /// <summary>
        /// Rows that the last event of their aggregate does not describe, and last events of living aggregates without
        /// a row.
        /// </summary>
        public async Task<long> DifferencesAsync()
        {
            var differences = 0L;
            foreach (var resource in Resource.Names) differences += await app.ScalarAsync<long>(Differences(resource));
            return differences;
        }

        /// <summary>
        /// Like the differences of products, and stock below zero; all in one snapshot, so it holds at any moment.
        /// </summary>
        public Task<long> TornProductsAsync() => app.ScalarAsync<long>(
            """
            SELECT count(*) FROM shop.products AS p LEFT JOIN LATERAL (
                SELECT version FROM shop.outbox WHERE resource = 'products' AND aggregate_id = p.id ORDER BY id DESC
                    LIMIT 1) AS said ON true
            WHERE p.stock < 0 OR p.version IS DISTINCT FROM coalesce(said.version, 1)
            """);

        /// <summary>
        /// Pieces of a product that orders have taken for good, those included that were shipped and then deleted.
        /// </summary>
        public Task<long> TakenAsync(int productId) => app.ScalarAsync<long>(
            $"""
            WITH latest AS (
                SELECT DISTINCT ON (aggregate_id) aggregate_id, data FROM shop.outbox
                WHERE resource = 'orders' AND type <> '{EventTypes.OrderDeleted}' ORDER BY aggregate_id, version DESC)
            SELECT coalesce(sum((item->>'quantity')::int), 0)
            FROM latest, json_array_elements(latest.data->'items') AS item
            WHERE (item->>'productId')::int = {productId} AND CASE latest.data->>'status'
                WHEN 'Cancelled' THEN false
                WHEN 'Shipped' THEN true
                WHEN 'Delivered' THEN true
                ELSE EXISTS (SELECT FROM shop.orders WHERE id = latest.aggregate_id) END
            """);
    }

    private static string Differences(string resource) =>
        $"""
        WITH latest AS (
            SELECT DISTINCT ON (aggregate_id) aggregate_id, type, version, data FROM shop.outbox
            WHERE resource = '{resource}' ORDER BY aggregate_id, id DESC)
        SELECT count(*) FROM shop.{resource} AS r FULL JOIN latest ON latest.aggregate_id = r.id
        WHERE NOT CASE
            WHEN r.id IS NULL THEN latest.type LIKE '%.deleted'
            WHEN latest.aggregate_id IS NULL THEN r.version = 1 AND r.id >= 1000000
            ELSE latest.type NOT LIKE '%.deleted' AND latest.version = r.version
                AND latest.data::text = shop.{Resource.Of(resource).Singular}_state(r)::text END
        """;
}
