-- The JSON of UserState in src/Shared/Events/States.cs, byte for byte, for statements that change users.
-- Migration StatesInQueries runs this file; a change of it is a new file and a new migration.
CREATE TYPE shop.user_json AS (id integer, email text, "firstName" text, "lastName" text, "phoneNumber" text,
    "createdDate" text, "lastLoginDate" text, "isActive" boolean, version bigint);

CREATE OR REPLACE FUNCTION shop.user_state(u shop.users) RETURNS json
    LANGUAGE sql STABLE PARALLEL SAFE AS $function$
    SELECT row_to_json(ROW(u.id, u.email, u.first_name, u.last_name, u.phone_number, shop.utc_text(u.created_date),
        shop.utc_text(u.last_login_date), u.is_active, u.version)::shop.user_json)
$function$;
