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
    // contract: the release before can delete orders afterwards, and not create or change them: its events lack names
    // and changes. Such events may wait in the outbox, so the rows that it has are not checked.
    // First, because the lock of the outbox has to wait for every command and for backups: a wait that is too long
    // undoes the migration, and later that would be the work on all orders.
    // Only events without the member are refused. For one with "statusHistory": null "->" returns the null of JSON,
    // which is not NULL; tests that fill a log write such events.
    private const string Constraint =
        """
        ALTER TABLE shop.outbox ADD CONSTRAINT outbox_order_as_sold_check CHECK (
            type NOT IN ('apexshop.order.placed', 'apexshop.order.updated', 'apexshop.order.status-changed')
            OR data -> 'statusHistory' IS NOT NULL) NOT VALID;

        """;

    private const string Columns =
        """
        ALTER TABLE shop.orders ADD COLUMN status_history json;
        ALTER TABLE shop.orders ADD COLUMN expires_at timestamptz;
        ALTER TABLE shop.order_items ADD COLUMN product_name varchar(200);
        -- Every row is written again, which takes half the time without these indexes.
        DROP INDEX shop.orders_user_id_idx, shop.orders_order_date_idx, shop.orders_status_idx,
            shop.orders_delivered_date_idx, shop.order_items_order_id_product_id_idx, shop.order_items_product_id_idx;

        UPDATE shop.order_items AS i SET product_name = p.name FROM shop.products AS p WHERE p.id = i.product_id;
        """;

    // The documents and the consumers have only what is in the log, so each order gets an event. Its data is that of
    // order_state, which would read the items of each order by a query of its own. The history has the kinds of the
    // actors: customers read it, and the names of keys are internal.
    private const string Fill =
        """
        WITH changes AS (
            SELECT aggregate_id, version, row_to_json((SELECT c FROM (
                SELECT data ->> 'status' AS status, shop.utc_text(time) AS time,
                    CASE WHEN actor = 'apexshop' THEN 'system' WHEN actor LIKE 'users/%' THEN 'customer'
                        WHEN actor IS NOT NULL THEN 'staff' END AS actor) AS c))::text AS json
            FROM (SELECT aggregate_id, version, resource, type, data, time, actor FROM shop.events
                UNION ALL
                SELECT aggregate_id, version, resource, type, data, time, actor FROM shop.outbox) AS event
            WHERE resource = 'orders' AND type IN ('apexshop.order.placed', 'apexshop.order.status-changed')
        ), histories AS (
            SELECT aggregate_id, ('[' || string_agg(json, ',' ORDER BY version) || ']')::json AS history
            FROM changes GROUP BY aggregate_id
        ), items AS (
            SELECT i.order_id, string_agg((SELECT row_to_json(l) FROM (SELECT i.product_id AS "productId",
                i.product_name AS "productName", i.quantity, i.unit_price AS "unitPrice",
                i.total_price AS "totalPrice") AS l)::text, ',' ORDER BY i.product_id) AS json
            FROM shop.order_items AS i GROUP BY i.order_id
        ), filled AS (
            UPDATE shop.orders AS o SET version = o.version + 1, status_history = coalesce(known.history, '[]')
            FROM shop.orders AS present LEFT JOIN histories AS known ON known.aggregate_id = present.id
            WHERE present.id = o.id
            RETURNING o.*
        )
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, actor, data)
        SELECT 'apexshop.order.updated', 'orders', o.id, o.version, 'apexshop', row_to_json((SELECT s FROM (
            SELECT o.id, o.user_id AS "userId", shop.utc_text(o.order_date) AS "orderDate",
                o.status, o.total_amount AS "totalAmount", o.shipping_address AS "shippingAddress",
                o.tracking_number AS "trackingNumber",
                shop.utc_text(o.shipped_date) AS "shippedDate", shop.utc_text(o.delivered_date) AS "deliveredDate",
                ('[' || coalesce(i.json, '') || ']')::json AS items,
                o.status_history AS "statusHistory", o.version) AS s))
        FROM filled AS o LEFT JOIN items AS i ON i.order_id = o.id ORDER BY o.id;
        """;

    private const string Indexes =
        """
        CREATE INDEX orders_user_id_idx ON shop.orders (user_id);
        CREATE INDEX orders_order_date_idx ON shop.orders (order_date DESC);
        CREATE INDEX orders_status_idx ON shop.orders (status);
        CREATE INDEX orders_delivered_date_idx ON shop.orders (delivered_date) WHERE delivered_date IS NOT NULL;
        CREATE INDEX orders_expires_at_idx ON shop.orders (expires_at) WHERE expires_at IS NOT NULL;
        CREATE UNIQUE INDEX order_items_order_id_product_id_idx ON shop.order_items (order_id, product_id);
        CREATE INDEX order_items_product_id_idx ON shop.order_items (product_id);
        """;

    protected override void Up(MigrationBuilder migrationBuilder) =>
        migrationBuilder.Sql(Constraint + Columns + StateSql.Read("order_state_2") + Fill + Indexes);

    protected override void Down(MigrationBuilder migrationBuilder)
    {
        var first = StateSql.Read("order_state");
        migrationBuilder.Sql(first.Replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", StringComparison.Ordinal));
        migrationBuilder.Sql(
            """
            ALTER TABLE shop.outbox DROP CONSTRAINT outbox_order_as_sold_check;
            ALTER TABLE shop.orders DROP COLUMN expires_at, DROP COLUMN status_history;
            ALTER TABLE shop.order_items DROP COLUMN product_name;
            """);
    }
}
