namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>What migration ShopSchema creates beside EF's tables. It is applied already: a change needs a new migration.</summary>
internal static class ShopSchemaSql
{
    public const string BeforeTables = """
        -- RFC 9562: 48 bits of Unix milliseconds, then random bits; setting bits 52 and 53 turns version 4 into 7.
        CREATE FUNCTION shop.uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $function$
            SELECT encode(
                set_bit(set_bit(
                    overlay(uuid_send(gen_random_uuid())
                        PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                        FROM 1 FOR 6),
                    52, 1), 53, 1),
                'hex')::uuid
        $function$;
        """;

    public const string Log = """
        CREATE UNIQUE INDEX users_email_key ON shop.users (lower(email));

        INSERT INTO shop.log_positions (name, position)
        VALUES ('head', 0), ('published', 0), ('products', 0), ('categories', 0), ('orders', 0), ('reviews', 0), ('users', 0);

        -- The log is appended to and never rewritten, whatever the code tries.
        REVOKE UPDATE, DELETE ON shop.events FROM commands;
        REVOKE INSERT, UPDATE, DELETE ON shop."__EFMigrationsHistory" FROM commands;

        CREATE FUNCTION shop.announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $function$
        BEGIN
            PERFORM pg_notify('apexshop_outbox', '');
            RETURN NULL;
        END
        $function$;

        CREATE TRIGGER outbox_announces_rows AFTER INSERT ON shop.outbox
            FOR EACH STATEMENT EXECUTE FUNCTION shop.announce_outbox();
        """;

    /// <summary>The first form of the states; migration StatesInQueries replaced all but that of an order.</summary>
    public const string States = """
        -- The states of src/Shared/Events/States.cs, byte for byte, for set-based changes.
        CREATE FUNCTION shop.utc_text(t timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT rtrim(rtrim(to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'
        $function$;

        CREATE FUNCTION shop.product_state(p shop.products) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT row_to_json(s) FROM (SELECT p.id, p.name, p.description, p.price, p.stock, p.is_active AS "isActive",
                p.is_featured AS "isFeatured", p.category_id AS "categoryId", shop.utc_text(p.created_date) AS "createdDate",
                shop.utc_text(p.updated_date) AS "updatedDate", p.version) AS s
        $function$;

        CREATE FUNCTION shop.category_state(c shop.categories) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT row_to_json(s) FROM (SELECT c.id, c.name, c.description, c.is_active AS "isActive",
                shop.utc_text(c.created_date) AS "createdDate", c.version) AS s
        $function$;

        CREATE FUNCTION shop.user_state(u shop.users) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT row_to_json(s) FROM (SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName",
                u.phone_number AS "phoneNumber", shop.utc_text(u.created_date) AS "createdDate",
                shop.utc_text(u.last_login_date) AS "lastLoginDate", u.is_active AS "isActive", u.version) AS s
        $function$;

        CREATE FUNCTION shop.review_state(r shop.reviews) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT row_to_json(s) FROM (SELECT r.id, r.product_id AS "productId", r.user_id AS "userId", r.rating, r.comment,
                shop.utc_text(r.created_date) AS "createdDate", r.is_verified_purchase AS "isVerifiedPurchase", r.version) AS s
        $function$;
        """;
}
