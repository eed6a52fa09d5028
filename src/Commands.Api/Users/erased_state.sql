-- The state of an event without the person: the members below get placeholders, and every other byte stays as it is.
-- Migration Erasure runs this file; a change of it is a new file and a new migration.
-- json_each keeps the text of a value of type json, so 12.50 stays 12.50.
CREATE FUNCTION shop.erased_state(resource text, id integer, data json) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE AS $function$
    SELECT ('{' || string_agg(to_json(key)::text || ':' || coalesce(placeholders -> key, value)::text, ','
        ORDER BY place) || '}')::json
    FROM json_each(data) WITH ORDINALITY AS member (key, value, place),
        (SELECT CASE resource
            WHEN 'users' THEN format('{"email":"erased-%s@erased.invalid","firstName":"Erased",'
                '"lastName":"Customer","phoneNumber":null,"lastLoginDate":null}', id)::json
            WHEN 'orders' THEN '{"shippingAddress":"Erased","trackingNumber":null}'::json
            ELSE '{}'::json END) AS erased (placeholders)
$function$;

-- The only way to rewrite the log: it runs with the rights of the owner, because "commands" may not update it. The
-- caller has locked the aggregates, so they get no other event. An event that waits for the sequencer is rewritten
-- while no move runs, because a move could lock the rows of the outbox in another order; one that a move has taken
-- meanwhile is in the log for the next statement.
CREATE FUNCTION shop.erase_from_log(resource text, ids integer[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
    IF EXISTS (SELECT FROM shop.outbox AS o WHERE o.resource = $1 AND o.aggregate_id = ANY ($2)
        AND o.data::text <> shop.erased_state($1, o.aggregate_id, o.data)::text) THEN
        PERFORM FROM shop.leader FOR SHARE;
        UPDATE shop.outbox AS o SET data = shop.erased_state($1, o.aggregate_id, o.data)
        WHERE o.resource = $1 AND o.aggregate_id = ANY ($2)
            AND o.data::text <> shop.erased_state($1, o.aggregate_id, o.data)::text;
    END IF;
    UPDATE shop.events AS e SET data = shop.erased_state($1, e.aggregate_id, e.data)
    WHERE e.resource = $1 AND e.aggregate_id = ANY ($2)
        AND e.data::text <> shop.erased_state($1, e.aggregate_id, e.data)::text;
END
$function$;
REVOKE EXECUTE ON FUNCTION shop.erase_from_log(text, integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shop.erase_from_log(text, integer[]) TO commands;

-- Finds the orders of a user that were deleted: only the log has them. Any of their events may be the first that it
-- still has.
CREATE INDEX events_orders_of_user_idx ON shop.events (((data ->> 'userId')::integer))
    WHERE resource = 'orders' AND type <> 'apexshop.order.deleted';
