-- The JSON of ReviewState in src/Shared/Events/States.cs, byte for byte, for statements that change reviews.
-- Migration StatesInQueries runs this file; a change of it is a new file and a new migration.
CREATE TYPE shop.review_json AS (id integer, "productId" integer, "userId" integer, rating integer, comment text,
    "createdDate" text, "isVerifiedPurchase" boolean, version bigint);

CREATE OR REPLACE FUNCTION shop.review_state(r shop.reviews) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE AS $function$
    SELECT row_to_json(ROW(r.id, r.product_id, r.user_id, r.rating, r.comment, shop.utc_text(r.created_date),
        r.is_verified_purchase, r.version)::shop.review_json)
$function$;
