using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>
/// What POST /admin/seed has written, chunk by chunk, and the ids it got: so that a run that was cut goes on where it
/// ended, and rows that were changed or deleted since are not seeded again.
/// </summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261120060500_SeededChunks")]
internal sealed class SeededChunks : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        CREATE TABLE shop.seeded_chunks (
            resource text NOT NULL,
            shop integer NOT NULL,
            chunk integer NOT NULL,
            ids integer[] NOT NULL,
            PRIMARY KEY (resource, shop, chunk)
        );
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql("DROP TABLE shop.seeded_chunks;");
}
