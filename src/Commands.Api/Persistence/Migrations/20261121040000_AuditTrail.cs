using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;

namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>Who caused each event, and what operators did. Earlier events have no actor.</summary>
[DbContext(typeof(ShopDbContext))]
[Migration("20261121040000_AuditTrail")]
internal sealed class AuditTrail : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        ALTER TABLE shop.outbox ADD COLUMN actor text;
        ALTER TABLE shop.events ADD COLUMN actor text;

        CREATE TABLE shop.operator_actions (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            time timestamptz NOT NULL,
            actor text NOT NULL,
            action text NOT NULL,
            path text NOT NULL,
            correlation_id text
        );
        CREATE INDEX operator_actions_time_idx ON shop.operator_actions (time);

        -- A record is written once; it ends with its retention.
        REVOKE UPDATE ON shop.operator_actions FROM commands;
        """);

    protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.Sql(
        """
        DROP TABLE shop.operator_actions;
        ALTER TABLE shop.events DROP COLUMN actor;
        ALTER TABLE shop.outbox DROP COLUMN actor;
        """);
}
