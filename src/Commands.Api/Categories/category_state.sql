-- The JSON of CategoryState in src/Shared/Events/States.cs, byte for byte, for statements that change categories.
-- Migration StatesInQueries runs this file; a change of it is a new file and a new migration.
CREATE TYPE shop.category_json AS (id integer, name text, description text, "isActive" boolean, "createdDate" text,
    version bigint);

CREATE OR REPLACE FUNCTION shop.category_state(c shop.categories) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE AS $function$
    SELECT row_to_json(ROW(c.id, c.name, c.description, c.is_active, shop.utc_text(c.created_date),
        c.version)::shop.category_json)
$function$;
