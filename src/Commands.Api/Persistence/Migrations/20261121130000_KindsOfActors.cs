using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// The status history of an order has the kinds of its actors: customers read it, and the names of keys are internal.
/// Each order that changes gets an event, since the documents have only what is in the log.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261121130000_KindsOfActors")]
internal sealed class KindsOfActors : Migration
{
    // The new history is computed from the row that is updated, so a change that was just committed is in it.
    private const string Sql =
        """
        WITH changed AS (
            UPDATE shop.orders AS o SET version = o.version + 1, status_history = (
                SELECT ('[' || string_agg(row_to_json((SELECT c FROM (
                    SELECT entry ->> 'status' AS status, entry ->> 'time' AS time,
                        CASE WHEN entry ->> 'actor' = 'apexshop' THEN 'system'
                            WHEN entry ->> 'actor' LIKE 'users/%' THEN 'customer'
                            WHEN entry ->> 'actor' IS NOT NULL THEN 'staff' END AS actor) AS c))::text,
                    ',' ORDER BY place) || ']')::json
                FROM json_array_elements(o.status_history) WITH ORDINALITY AS entries (entry, place))
            WHERE EXISTS (
                SELECT FROM json_array_elements(o.status_history) AS entry WHERE entry ->> 'actor' IS NOT NULL)
            RETURNING o.id, o.version, shop.order_state(o) AS data
        )
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, actor, data)
        SELECT 'apexshop.order.updated', 'orders', id, version, 'apexshop', data FROM changed ORDER BY id;
        """;

    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(Sql);

    // The names are in the log; a release that shows them also shows the kinds.
    protected override void Down(MigrationBuilder migrationBuilder)
    {
    }
}
