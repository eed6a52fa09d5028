using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// The states as expressions over a type each, and no longer as queries: PostgreSQL makes an expression part of the
/// statement that calls it, and runs a query anew for every row, which took five times as long. The bytes are the same.
/// An order's state stays a query, for it gathers lines.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261120100000_StatesInQueries")]
internal sealed class StatesInQueries : Migration
{
    private const string Types = """
        CREATE TYPE shop.product_json AS (id integer, name text, description text, price numeric, stock integer, "isActive" boolean,
            "isFeatured" boolean, "categoryId" integer, "createdDate" text, "updatedDate" text, version bigint);
        CREATE TYPE shop.category_json AS (id integer, name text, description text, "isActive" boolean, "createdDate" text, version bigint);
        CREATE TYPE shop.user_json AS (id integer, email text, "firstName" text, "lastName" text, "phoneNumber" text, "createdDate" text,
            "lastLoginDate" text, "isActive" boolean, version bigint);
        CREATE TYPE shop.review_json AS (id integer, "productId" integer, "userId" integer, rating integer, comment text,
            "createdDate" text, "isVerifiedPurchase" boolean, version bigint);
        """;

    private const string Functions = """
        CREATE OR REPLACE FUNCTION shop.product_state(p shop.products) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT row_to_json(ROW(p.id, p.name, p.description, p.price, p.stock, p.is_active, p.is_featured, p.category_id,
                shop.utc_text(p.created_date), shop.utc_text(p.updated_date), p.version)::shop.product_json)
        $function$;
        CREATE OR REPLACE FUNCTION shop.category_state(c shop.categories) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT row_to_json(ROW(c.id, c.name, c.description, c.is_active, shop.utc_text(c.created_date), c.version)::shop.category_json)
        $function$;
        CREATE OR REPLACE FUNCTION shop.user_state(u shop.users) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT row_to_json(ROW(u.id, u.email, u.first_name, u.last_name, u.phone_number, shop.utc_text(u.created_date),
                shop.utc_text(u.last_login_date), u.is_active, u.version)::shop.user_json)
        $function$;
        CREATE OR REPLACE FUNCTION shop.review_state(r shop.reviews) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $function$
            SELECT row_to_json(ROW(r.id, r.product_id, r.user_id, r.rating, r.comment, shop.utc_text(r.created_date),
                r.is_verified_purchase, r.version)::shop.review_json)
        $function$;
        """;

    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(Types + Functions);

    protected override void Down(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.Sql(
            """
            DROP FUNCTION shop.product_state, shop.category_state, shop.user_state, shop.review_state, shop.order_state;
            DROP TYPE shop.product_json, shop.category_json, shop.user_json, shop.review_json;
            """);
        migrationBuilder.Sql(ShopSchemaSql.States.Replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", StringComparison.Ordinal));
    }
}
