-- The JSON of ProductState in src/Shared/Events/States.cs, byte for byte, for statements that change products.
-- Migration ProductPages runs this file; a change of it is a new file and a new migration.
ALTER TYPE shop.product_json ADD ATTRIBUTE sku text, ADD ATTRIBUTE slug text, ADD ATTRIBUTE images json;

CREATE OR REPLACE FUNCTION shop.product_state(p shop.products) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE AS $function$
    SELECT row_to_json(ROW(p.id, p.name, p.description, p.price, p.stock, p.is_active, p.is_featured, p.category_id,
        shop.utc_text(p.created_date), shop.utc_text(p.updated_date), p.version, p.sku, p.slug,
        p.images)::shop.product_json)
$function$;
