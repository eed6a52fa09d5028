using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>Events by type: without it a reader of one rare type reads the whole log.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261120110000_EventsByType")]
internal sealed class EventsByType : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.CreateIndex(
        name: "events_type_position_idx",
        schema: ShopDbContext.Schema,
        table: "events",
        columns: ["type", "position"]);

    protected override void Down(MigrationBuilder migrationBuilder) =>
        migrationBuilder.DropIndex(name: "events_type_position_idx", schema: ShopDbContext.Schema, table: "events");
}
