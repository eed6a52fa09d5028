-- The JSON of OrderState in src/Shared/Events/States.cs, byte for byte, for statements that change orders.
-- Migration OrdersAsSold runs this file; a change of it is a new file and a new migration.
-- string_agg and not json_agg, which breaks lines between objects: the log is served with one line per event.
CREATE OR REPLACE FUNCTION shop.order_state(o shop.orders) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE AS $function$
    SELECT row_to_json(s) FROM (SELECT o.id, o.user_id AS "userId", shop.utc_text(o.order_date) AS "orderDate",
        o.status, o.total_amount AS "totalAmount", o.shipping_address AS "shippingAddress",
        o.tracking_number AS "trackingNumber",
        shop.utc_text(o.shipped_date) AS "shippedDate", shop.utc_text(o.delivered_date) AS "deliveredDate",
        (SELECT ('[' || coalesce(string_agg(row_to_json(l)::text, ',' ORDER BY l."productId"), '') || ']')::json
            FROM (SELECT i.product_id AS "productId", i.product_name AS "productName", i.quantity,
                i.unit_price AS "unitPrice", i.total_price AS "totalPrice"
                FROM shop.order_items AS i WHERE i.order_id = o.id) AS l) AS items,
        o.status_history AS "statusHistory", o.version) AS s
$function$;
