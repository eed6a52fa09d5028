using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>One row: which session leads, since which take-over, and until when.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261120120000_LeaderLease")]
internal sealed class LeaderLease : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        CREATE TABLE shop.leader (
            term bigint NOT NULL PRIMARY KEY,
            holder integer NOT NULL,
            holder_since timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            is_offered boolean NOT NULL
        );

        INSERT INTO shop.leader (term, holder, holder_since, expires_at, is_offered)
        VALUES (0, 0, '-infinity', '-infinity', false);

        -- It always has its one row.
        REVOKE INSERT, DELETE ON shop.leader FROM commands;
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql("DROP TABLE shop.leader;");
}
