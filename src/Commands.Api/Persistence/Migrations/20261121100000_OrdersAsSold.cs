using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// The names under which products were sold, the changes of an order's status, and its deadline while it is Pending.
/// Orders that exist get the current names and the changes that the log has, with an event each; they have no deadline.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261121100000_OrdersAsSold")]
internal sealed class OrdersAsSold : Migration
{
    private const string Columns =
        """
        -- The orders first, as in every command: they are locked until the end of the migration.
        ALTER TABLE shop.orders ADD COLUMN status_history json;
        ALTER TABLE shop.orders ADD COLUMN expires_at timestamptz;
        ALTER TABLE shop.order_items ADD COLUMN product_name varchar(200);
        CREATE INDEX orders_expires_at_idx ON shop.orders (expires_at) WHERE expires_at IS NOT NULL;

        UPDATE shop.order_items AS i SET product_name = p.name FROM shop.products AS p WHERE p.id = i.product_id;
        """;

    // The documents and the consumers have only what is in the log, so each order gets an event.
    private const string Fill =
        """
        WITH changes AS (
            SELECT aggregate_id, version, row_to_json((SELECT c FROM (
                SELECT data ->> 'status' AS status, shop.utc_text(time) AS time, actor) AS c))::text AS json
            FROM (SELECT aggregate_id, version, resource, type, data, time, actor FROM shop.events
                UNION ALL
                SELECT aggregate_id, version, resource, type, data, time, actor FROM shop.outbox) AS event
            WHERE resource = 'orders' AND type IN ('apexshop.order.placed', 'apexshop.order.status-changed')
        ), histories AS (
            SELECT aggregate_id, ('[' || string_agg(json, ',' ORDER BY version) || ']')::json AS history
            FROM changes GROUP BY aggregate_id
        ), filled AS (
            UPDATE shop.orders AS o SET version = o.version + 1, status_history = coalesce(known.history, '[]')
            FROM shop.orders AS present LEFT JOIN histories AS known ON known.aggregate_id = present.id
            WHERE present.id = o.id
            RETURNING o.id, o.version, shop.order_state(o) AS data
        )
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, actor, data)
        SELECT 'apexshop.order.updated', 'orders', id, version, 'apexshop', data FROM filled ORDER BY id;
        """;

    protected override void Up(MigrationBuilder migrationBuilder) =>
        migrationBuilder.Sql(Columns + StateSql.Read("order_state_2") + Fill);

    protected override void Down(MigrationBuilder migrationBuilder)
    {
        var first = StateSql.Read("order_state");
        migrationBuilder.Sql(first.Replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", StringComparison.Ordinal));
        migrationBuilder.Sql(
            """
            ALTER TABLE shop.orders DROP COLUMN expires_at, DROP COLUMN status_history;
            ALTER TABLE shop.order_items DROP COLUMN product_name;
            """);
    }
}
