using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// The orders of a user that have a deadline: without the index, their number would be counted in all orders of the
/// user.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261130040000_PendingOrders")]
internal sealed class PendingOrders : Migration
{
    private static readonly string[] columns = ["user_id", "expires_at"];

    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.CreateIndex(
        name: "orders_user_id_expires_at_idx",
        schema: ShopDbContext.Schema,
        table: "orders",
        columns: columns,
        filter: "expires_at IS NOT NULL");

    protected override void Down(MigrationBuilder migrationBuilder) =>
        migrationBuilder.DropIndex(
            name: "orders_user_id_expires_at_idx", schema: ShopDbContext.Schema, table: "orders");
}
