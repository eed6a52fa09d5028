using System;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Npgsql.EntityFrameworkCore.PostgreSQL.Metadata;

#nullable disable

namespace ApexShop.Commands.Api.Persistence.Migrations
{
    /// <summary>The tables of the write side. It needs no model of its own time: no operation looks one up.</summary>
    [DbContext(typeof(ShopDbContext))]
    [Migration("20261120055800_ShopSchema")]
    public class ShopSchema : Migration
    {
        /// <inheritdoc />
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.EnsureSchema(
                name: "shop");

            migrationBuilder.Sql(ShopSchemaSql.BeforeTables);

            migrationBuilder.CreateSequence(
                name: "category_ids",
                schema: "shop",
                incrementBy: 10);

            migrationBuilder.CreateSequence(
                name: "order_ids",
                schema: "shop",
                incrementBy: 10);

            migrationBuilder.CreateSequence(
                name: "product_ids",
                schema: "shop",
                incrementBy: 10);

            migrationBuilder.CreateSequence(
                name: "review_ids",
                schema: "shop",
                incrementBy: 10);

            migrationBuilder.CreateSequence(
                name: "user_ids",
                schema: "shop",
                incrementBy: 10);

            migrationBuilder.CreateTable(
                name: "categories",
                schema: "shop",
                columns: table => new
                {
                    id = table.Column<int>(type: "integer", nullable: false),
                    name = table.Column<string>(type: "character varying(200)", maxLength: 200, nullable: false),
                    description = table.Column<string>(type: "character varying(2000)", maxLength: 2000, nullable: true),
                    is_active = table.Column<bool>(type: "boolean", nullable: false),
                    created_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: false),
                    version = table.Column<long>(type: "bigint", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("categories_pkey", x => x.id);
                    table.CheckConstraint("categories_version_check", "version >= 1");
                });

            migrationBuilder.CreateTable(
                name: "events",
                schema: "shop",
                columns: table => new
                {
                    position = table.Column<long>(type: "bigint", nullable: false),
                    previous = table.Column<long>(type: "bigint", nullable: false),
                    event_id = table.Column<Guid>(type: "uuid", nullable: false),
                    type = table.Column<string>(type: "text", nullable: false),
                    resource = table.Column<string>(type: "text", nullable: false),
                    aggregate_id = table.Column<int>(type: "integer", nullable: false),
                    version = table.Column<long>(type: "bigint", nullable: false),
                    time = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: false),
                    trace_parent = table.Column<string>(type: "text", nullable: true),
                    data = table.Column<string>(type: "json", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("events_pkey", x => x.position);
                });

            migrationBuilder.CreateTable(
                name: "log_positions",
                schema: "shop",
                columns: table => new
                {
                    name = table.Column<string>(type: "text", nullable: false),
                    position = table.Column<long>(type: "bigint", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("log_positions_pkey", x => x.name);
                });

            migrationBuilder.CreateTable(
                name: "outbox",
                schema: "shop",
                columns: table => new
                {
                    id = table.Column<long>(type: "bigint", nullable: false)
                        .Annotation("Npgsql:ValueGenerationStrategy", NpgsqlValueGenerationStrategy.IdentityAlwaysColumn),
                    event_id = table.Column<Guid>(type: "uuid", nullable: false, defaultValueSql: "shop.uuid_v7()"),
                    type = table.Column<string>(type: "text", nullable: false),
                    resource = table.Column<string>(type: "text", nullable: false),
                    aggregate_id = table.Column<int>(type: "integer", nullable: false),
                    version = table.Column<long>(type: "bigint", nullable: false),
                    time = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: false, defaultValueSql: "clock_timestamp()"),
                    trace_parent = table.Column<string>(type: "text", nullable: true),
                    data = table.Column<string>(type: "json", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("outbox_pkey", x => x.id);
                });

            migrationBuilder.CreateTable(
                name: "users",
                schema: "shop",
                columns: table => new
                {
                    id = table.Column<int>(type: "integer", nullable: false),
                    email = table.Column<string>(type: "character varying(254)", maxLength: 254, nullable: false),
                    first_name = table.Column<string>(type: "character varying(100)", maxLength: 100, nullable: false),
                    last_name = table.Column<string>(type: "character varying(100)", maxLength: 100, nullable: false),
                    phone_number = table.Column<string>(type: "character varying(32)", maxLength: 32, nullable: true),
                    password_hash = table.Column<string>(type: "character varying(200)", maxLength: 200, nullable: false),
                    created_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: false),
                    last_login_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: true),
                    is_active = table.Column<bool>(type: "boolean", nullable: false),
                    version = table.Column<long>(type: "bigint", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("users_pkey", x => x.id);
                    table.CheckConstraint("users_version_check", "version >= 1");
                });

            migrationBuilder.CreateTable(
                name: "products",
                schema: "shop",
                columns: table => new
                {
                    id = table.Column<int>(type: "integer", nullable: false),
                    name = table.Column<string>(type: "character varying(200)", maxLength: 200, nullable: false),
                    description = table.Column<string>(type: "character varying(2000)", maxLength: 2000, nullable: true),
                    price = table.Column<decimal>(type: "numeric(18,2)", precision: 18, scale: 2, nullable: false),
                    stock = table.Column<int>(type: "integer", nullable: false),
                    is_active = table.Column<bool>(type: "boolean", nullable: false),
                    is_featured = table.Column<bool>(type: "boolean", nullable: false),
                    category_id = table.Column<int>(type: "integer", nullable: false),
                    created_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: false),
                    updated_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: true),
                    version = table.Column<long>(type: "bigint", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("products_pkey", x => x.id);
                    table.CheckConstraint("products_price_check", "price >= 0");
                    table.CheckConstraint("products_stock_check", "stock >= 0");
                    table.CheckConstraint("products_version_check", "version >= 1");
                    table.ForeignKey(
                        name: "products_category_id_fkey",
                        column: x => x.category_id,
                        principalSchema: "shop",
                        principalTable: "categories",
                        principalColumn: "id",
                        onDelete: ReferentialAction.Restrict);
                });

            migrationBuilder.CreateTable(
                name: "orders",
                schema: "shop",
                columns: table => new
                {
                    id = table.Column<int>(type: "integer", nullable: false),
                    user_id = table.Column<int>(type: "integer", nullable: false),
                    order_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: false),
                    status = table.Column<string>(type: "character varying(10)", maxLength: 10, nullable: false),
                    total_amount = table.Column<decimal>(type: "numeric(18,2)", precision: 18, scale: 2, nullable: false),
                    shipping_address = table.Column<string>(type: "character varying(500)", maxLength: 500, nullable: false),
                    tracking_number = table.Column<string>(type: "character varying(100)", maxLength: 100, nullable: true),
                    shipped_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: true),
                    delivered_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: true),
                    version = table.Column<long>(type: "bigint", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("orders_pkey", x => x.id);
                    table.CheckConstraint("orders_status_check", "status IN ('Pending', 'Processing', 'Shipped', 'Delivered', 'Cancelled')");
                    table.CheckConstraint("orders_total_amount_check", "total_amount >= 0");
                    table.CheckConstraint("orders_version_check", "version >= 1");
                    table.ForeignKey(
                        name: "orders_user_id_fkey",
                        column: x => x.user_id,
                        principalSchema: "shop",
                        principalTable: "users",
                        principalColumn: "id",
                        onDelete: ReferentialAction.Restrict);
                });

            migrationBuilder.CreateTable(
                name: "reviews",
                schema: "shop",
                columns: table => new
                {
                    id = table.Column<int>(type: "integer", nullable: false),
                    product_id = table.Column<int>(type: "integer", nullable: false),
                    user_id = table.Column<int>(type: "integer", nullable: false),
                    rating = table.Column<int>(type: "integer", nullable: false),
                    comment = table.Column<string>(type: "character varying(2000)", maxLength: 2000, nullable: true),
                    created_date = table.Column<DateTimeOffset>(type: "timestamp with time zone", nullable: false),
                    is_verified_purchase = table.Column<bool>(type: "boolean", nullable: false),
                    version = table.Column<long>(type: "bigint", nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("reviews_pkey", x => x.id);
                    table.CheckConstraint("reviews_rating_check", "rating BETWEEN 1 AND 5");
                    table.CheckConstraint("reviews_version_check", "version >= 1");
                    table.ForeignKey(
                        name: "reviews_product_id_fkey",
                        column: x => x.product_id,
                        principalSchema: "shop",
                        principalTable: "products",
                        principalColumn: "id",
                        onDelete: ReferentialAction.Cascade);
                    table.ForeignKey(
                        name: "reviews_user_id_fkey",
                        column: x => x.user_id,
                        principalSchema: "shop",
                        principalTable: "users",
                        principalColumn: "id",
                        onDelete: ReferentialAction.Restrict);
                });

            migrationBuilder.CreateTable(
                name: "order_items",
                schema: "shop",
                columns: table => new
                {
                    id = table.Column<long>(type: "bigint", nullable: false)
                        .Annotation("Npgsql:ValueGenerationStrategy", NpgsqlValueGenerationStrategy.IdentityAlwaysColumn),
                    order_id = table.Column<int>(type: "integer", nullable: false),
                    product_id = table.Column<int>(type: "integer", nullable: false),
                    quantity = table.Column<int>(type: "integer", nullable: false),
                    unit_price = table.Column<decimal>(type: "numeric(18,2)", precision: 18, scale: 2, nullable: false),
                    total_price = table.Column<decimal>(type: "numeric(18,2)", precision: 18, scale: 2, nullable: false)
                },
                constraints: table =>
                {
                    table.PrimaryKey("order_items_pkey", x => x.id);
                    table.CheckConstraint("order_items_quantity_check", "quantity > 0");
                    table.CheckConstraint("order_items_total_price_check", "total_price = quantity * unit_price");
                    table.CheckConstraint("order_items_unit_price_check", "unit_price >= 0");
                    table.ForeignKey(
                        name: "order_items_order_id_fkey",
                        column: x => x.order_id,
                        principalSchema: "shop",
                        principalTable: "orders",
                        principalColumn: "id",
                        onDelete: ReferentialAction.Cascade);
                    table.ForeignKey(
                        name: "order_items_product_id_fkey",
                        column: x => x.product_id,
                        principalSchema: "shop",
                        principalTable: "products",
                        principalColumn: "id",
                        onDelete: ReferentialAction.Restrict);
                });

            migrationBuilder.CreateIndex(
                name: "categories_name_idx",
                schema: "shop",
                table: "categories",
                column: "name");

            migrationBuilder.CreateIndex(
                name: "events_resource_aggregate_id_position_idx",
                schema: "shop",
                table: "events",
                columns: new[] { "resource", "aggregate_id", "position" });

            migrationBuilder.CreateIndex(
                name: "events_resource_position_idx",
                schema: "shop",
                table: "events",
                columns: new[] { "resource", "position" });

            migrationBuilder.CreateIndex(
                name: "order_items_order_id_product_id_idx",
                schema: "shop",
                table: "order_items",
                columns: new[] { "order_id", "product_id" },
                unique: true);

            migrationBuilder.CreateIndex(
                name: "order_items_product_id_idx",
                schema: "shop",
                table: "order_items",
                column: "product_id");

            migrationBuilder.CreateIndex(
                name: "orders_order_date_idx",
                schema: "shop",
                table: "orders",
                column: "order_date",
                descending: new bool[0]);

            migrationBuilder.CreateIndex(
                name: "orders_status_idx",
                schema: "shop",
                table: "orders",
                column: "status");

            migrationBuilder.CreateIndex(
                name: "orders_user_id_idx",
                schema: "shop",
                table: "orders",
                column: "user_id");

            migrationBuilder.CreateIndex(
                name: "products_category_id_idx",
                schema: "shop",
                table: "products",
                column: "category_id");

            migrationBuilder.CreateIndex(
                name: "products_name_idx",
                schema: "shop",
                table: "products",
                column: "name");

            migrationBuilder.CreateIndex(
                name: "products_price_idx",
                schema: "shop",
                table: "products",
                column: "price");

            migrationBuilder.CreateIndex(
                name: "reviews_product_id_user_id_idx",
                schema: "shop",
                table: "reviews",
                columns: new[] { "product_id", "user_id" },
                unique: true);

            migrationBuilder.CreateIndex(
                name: "reviews_rating_idx",
                schema: "shop",
                table: "reviews",
                column: "rating");

            migrationBuilder.CreateIndex(
                name: "reviews_user_id_idx",
                schema: "shop",
                table: "reviews",
                column: "user_id");

            migrationBuilder.Sql(ShopSchemaSql.Log);
            migrationBuilder.Sql(ShopSchemaSql.States + StateSql.Read("order_state"));
        }

        /// <inheritdoc />
        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.Sql("""
                DROP FUNCTION shop.order_state, shop.review_state, shop.user_state, shop.category_state, shop.product_state, shop.utc_text;
                """);

            migrationBuilder.DropTable(
                name: "events",
                schema: "shop");

            migrationBuilder.DropTable(
                name: "log_positions",
                schema: "shop");

            migrationBuilder.DropTable(
                name: "order_items",
                schema: "shop");

            migrationBuilder.DropTable(
                name: "outbox",
                schema: "shop");

            migrationBuilder.DropTable(
                name: "reviews",
                schema: "shop");

            migrationBuilder.DropTable(
                name: "orders",
                schema: "shop");

            migrationBuilder.DropTable(
                name: "products",
                schema: "shop");

            migrationBuilder.DropTable(
                name: "users",
                schema: "shop");

            migrationBuilder.DropTable(
                name: "categories",
                schema: "shop");

            migrationBuilder.DropSequence(
                name: "category_ids",
                schema: "shop");

            migrationBuilder.DropSequence(
                name: "order_ids",
                schema: "shop");

            migrationBuilder.DropSequence(
                name: "product_ids",
                schema: "shop");

            migrationBuilder.DropSequence(
                name: "review_ids",
                schema: "shop");

            migrationBuilder.DropSequence(
                name: "user_ids",
                schema: "shop");

            migrationBuilder.Sql("DROP FUNCTION shop.announce_outbox, shop.uuid_v7;");
        }
    }
}
