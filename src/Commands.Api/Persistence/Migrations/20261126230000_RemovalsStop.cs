using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// The role of the process may lock the row with the position of removals. A lock needs the right to change a column:
/// this one can have no other value.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261126230000_RemovalsStop")]
internal sealed class RemovalsStop : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) =>
        migrationBuilder.Sql("GRANT UPDATE (only_row) ON shop.log_compaction TO commands;");

    protected override void Down(MigrationBuilder migrationBuilder) =>
        migrationBuilder.Sql("REVOKE UPDATE (only_row) ON shop.log_compaction FROM commands;");
}
