using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>Orders by the day they were delivered: without it each deletion of old ones reads all orders there ever were.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261120090000_DeliveredOrders")]
internal sealed class DeliveredOrders : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.CreateIndex(
        name: "orders_delivered_date_idx",
        schema: ShopDbContext.Schema,
        table: "orders",
        column: "delivered_date",
        filter: "delivered_date IS NOT NULL");

    protected override void Down(MigrationBuilder migrationBuilder) =>
        migrationBuilder.DropIndex(name: "orders_delivered_date_idx", schema: ShopDbContext.Schema, table: "orders");
}
